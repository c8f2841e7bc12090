/** Proxy between a server and a service that can stop the server in the middle of a request. */
import { once } from 'node:events'
import { createServer } from 'node:http'

/** `asked`: the service never gets the request. `answered`: the service handles it, but the server gets no response. */
export type Moment = 'asked' | 'answered'
export type Gate = Awaited<ReturnType<typeof openGate>>

/** Returns the JSON-RPC method, or the end of the path without ids. */
function getName(path: string, body: string): string {
  const method: unknown = body.startsWith('{') ? Reflect.get(JSON.parse(body), 'method') : undefined
  return typeof method === 'string' ? method : path.split('/').slice(7).join('/')
}

/** @param target where the service is, without a path */
export async function openGate(target: string) {
  /** Names of the requests so far, in order. */
  const heard: string[] = []
  let order: { readonly name: string; readonly moment: Moment; readonly stop: () => Promise<void> } | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const name = getName(request.url ?? '', body)
    heard.push(name)
    const due = order?.name === name ? order : undefined
    if (due) order = undefined
    if (due?.moment === 'asked') {
      await due.stop()
      return
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: new Headers(Object.entries(headers).map(([key, value]) => [key, String(value)])),
      ...(body && { body }),
    })
    const text = await answer.text()
    if (due) await due.stop()
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    heard,
    /** Stops at the next request of this name. Resolves when `stop` has resolved. */
    stopAt: (name: string, moment: Moment, stop: () => Promise<void>) =>
      new Promise<void>(resolve => {
        order = { name, moment, stop: () => stop().then(resolve) }
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
