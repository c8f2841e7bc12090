/** An app's own server with the magic links, and the mailboxes of its users. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createMagicLinks } from './server.js'

export interface TestServer {
  readonly url: string
  /** Returns the link in the newest mail. */
  newestLink(): string
  stop(): void
}

async function readBody(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

export async function startTestServer(issueToken: (email: string) => Promise<string>): Promise<TestServer> {
  const mails: string[] = []
  const links = createMagicLinks({
    origins: [location.origin],
    sendMail: async (_to, text) => void mails.push(text),
    issueToken,
  })
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    if (request.method === 'OPTIONS') return response.end()
    try {
      const body = await readBody(request)
      response.end(JSON.stringify(await (request.url === '/links' ? links.send(body) : links.redeem(body))))
    } catch {
      response.writeHead(400).end()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    newestLink: () => /http\S+/.exec(mails.at(-1) ?? '')?.[0] ?? '',
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
