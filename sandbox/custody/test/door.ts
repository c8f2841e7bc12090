/** A proxy in front of custody, which decides the fate of each requested change. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly body: string
}
/** Returns the answer to give; undefined closes the connection. `pass` passes the change on to custody. */
export type Fate = (pass: () => Promise<Answer>) => Promise<Answer | undefined>

export async function startDoor(custodyUrl: string, change: Fate) {
  const pass = async (incoming: IncomingMessage): Promise<Answer> => {
    const { method, url, headers } = incoming
    const body = await text(incoming)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${custodyUrl}${url}`, { method, headers }, resolve).on('error', reject).end(body)
    })
    return { status: answer.statusCode ?? 502, body: await text(answer) }
  }
  const server = createServer((incoming, outgoing) => {
    const passed = () => pass(incoming)
    const answer = incoming.url?.includes('/submit/') ? change(passed) : passed()
    answer.then(
      given => (given ? outgoing.writeHead(given.status).end(given.body) : outgoing.destroy()),
      () => outgoing.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop: () => server.close(),
  }
}
