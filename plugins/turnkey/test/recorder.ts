/** Proxy between the page and the custody service that records requests; a test may change responses. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}
export interface Answer {
  readonly status: number
  readonly body: string
}
export type Recorder = Awaited<ReturnType<typeof startRecorder>>

export async function startRecorder(target: string) {
  const requests: Recorded[] = []
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming
    const body = await text(incoming)
    requests.push({ method, path, headers, body })
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${target}${path}`, { method, headers }, resolve).on('error', reject).end(body)
    })
    const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers
    const changed = recorder.change(path, { status: answer.statusCode ?? 502, body: await text(answer) })
    outgoing.writeHead(changed.status, rest).end(changed.body)
  }
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const recorder = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    requests,
    /** Replaces the service's response to the page. */
    change: (_path: string, answer: Answer): Answer => answer,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return recorder
}
