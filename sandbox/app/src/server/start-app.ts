/** Serves the built app on 127.0.0.1: files as they are, and the one page for every address that a person can open. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'
import { withMeta } from './page.js'
import { securityHeaders } from './security-headers.js'

export interface AppOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** JSON-RPC of the local chain, e.g. `http://localhost:8899`. */
  readonly chainUrl: string
  /** Its websocket, e.g. `ws://localhost:8900`. */
  readonly chainWsUrl: string
}
export interface App {
  /** Where a browser reaches it: `http://app.localhost:4000`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

const CLIENT = fileURLToPath(new URL('../client/', import.meta.url))
/** Files by content hash never change; everything else is asked for again. */
const HASHED = '/assets/'

const answer = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' })
  response.end(body)
}

/** A path whose last part has a dot is a file; any other is a page. */
const isPage = (request: IncomingMessage): boolean => {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  return !path.startsWith(HASHED) && !/\.\w+$/.test(path)
}

/**
 * Resolves once the app answers.
 *
 * @example
 * const app = await startApp({ port: 0, chainUrl: 'http://localhost:8899', chainWsUrl: 'ws://localhost:8900' })
 * await app.close()
 * @throws Error with code `EADDRINUSE` when the port is taken, `ENOENT` when the app was not built
 */
export const startApp = async ({ port, chainUrl, chainWsUrl }: AppOptions): Promise<App> => {
  // Read anew for each visit: whoever builds while the server runs sees the new page on reload.
  const readPage = async () =>
    withMeta(await readFile(join(CLIENT, 'index.html'), 'utf8'), {
      'keybay:chain-url': chainUrl,
      'keybay:chain-ws-url': chainWsUrl,
    })
  await readPage()
  const headers = Object.entries(securityHeaders([chainUrl, chainWsUrl]))
  const files = sirv(CLIENT, {
    dev: true,
    etag: true,
    setHeaders: (response, path) => {
      if (path.startsWith(HASHED)) response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    },
  })

  const server = createServer((request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      answer(response, 405, 'text/plain; charset=utf-8', 'Only GET and HEAD are answered here.\n')
    } else if (isPage(request))
      readPage().then(
        page => answer(response, 200, 'text/html; charset=utf-8', page),
        () => answer(response, 503, 'text/plain; charset=utf-8', 'The app is being built: reload in a moment.\n'),
      )
    else
      files(request, response, () =>
        answer(response, 404, 'text/plain; charset=utf-8', 'There is no such file here.\n'),
      )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://app.localhost:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
