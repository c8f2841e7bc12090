/** Serves the phone's single page at every address, on its own origin. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { closeServer, factsOfRequest, isStandInRequest, listen } from '@keybay/sandbox-service'
import sirv from 'sirv'

export interface PhoneOptions {
  /** Port to use. Default 0, which picks a free port. */
  readonly port?: number
  /** Host to bind to. Default 127.0.0.1. */
  readonly host?: string
  /** JSON-RPC address of the local chain, as a browser reaches it. */
  readonly chainUrl: string
}
export interface Phone {
  /** Address for browsers: `http://phone.localhost:4700`. */
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

const CLIENT = fileURLToPath(new URL('../client/', import.meta.url))
const PLACE = '<meta name="keybay:phone-chain-url" content=""'

function headersFor(chainUrl: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src data:',
      `connect-src ${new URL(chainUrl).origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // The return address contains the response, so no other server may receive it as a referrer.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  }
}

/**
 * Starts the phone, and resolves once it accepts requests.
 *
 * @example const phone = await startPhone({ chainUrl: 'http://localhost:8899' })
 * @throws PortTakenError; Error if the page has not been built
 */
export async function startPhone({ port = 0, host = '127.0.0.1', chainUrl }: PhoneOptions): Promise<Phone> {
  const html = await readFile(`${CLIENT}index.html`, 'utf8')
  if (!html.includes(PLACE)) throw new Error('The built phone has no <meta name="keybay:phone-chain-url">.')
  const page = html.replace(PLACE, PLACE.replace('""', `"${new URL(chainUrl).href}"`))
  const headers = Object.entries(headersFor(chainUrl))
  const files = sirv(CLIENT, { dev: true })
  const server = createServer((request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` })
      response.end(body)
    }
    if (!isStandInRequest(factsOfRequest(request)))
      answer(403, 'text/plain', 'This is the sandbox’s phone. It answers no public name.\n')
    else if (request.method !== 'GET' && request.method !== 'HEAD') answer(405, 'text/plain', 'Only GET and HEAD.\n')
    else if (path === '/health') answer(200, 'application/json', JSON.stringify({ status: 'ok' }))
    else if (path.startsWith('/assets/')) files(request, response, () => answer(404, 'text/plain', 'No such file.\n'))
    else answer(200, 'text/html', page)
  })
  const taken = await listen(server, { service: 'phone', variable: 'PHONE_PORT', port, host })
  return { url: `http://phone.localhost:${taken}`, port: taken, stop: () => closeServer(server) }
}
