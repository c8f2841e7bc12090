/** Stands between the page and custody, and notes what goes through. */

import { once } from 'node:events'
import { createServer, request } from 'node:http'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
export interface Recorder {
  readonly url: string
  readonly requests: readonly Recorded[]
  stop(): void
}

export const startRecorder = async (target: string): Promise<Recorder> => {
  const requests: Recorded[] = []
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    requests.push({ method, path, headers })
    const onward = request(`${target}${path}`, { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    requests,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
