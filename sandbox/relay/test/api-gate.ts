/** Proxies between services, which pass requests unless a test requests a fault. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Starts a proxy. `handle` responds itself, or forwards the request. */
export async function startProxy(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => Promise<unknown>,
) {
  const server = createServer((request, response) =>
    request
      .toArray()
      .then(parts => handle(request, response, Buffer.concat(parts).toString()))
      .catch(() => request.socket.destroy()),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export function forward(url: string, { method = 'GET', headers }: IncomingMessage, body: string): Promise<Response> {
  const { host: _, connection: __, 'content-length': ___, ...rest } = headers
  const sent = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])
  return fetch(url, { method, headers: sent, ...(body !== '' && { body }) })
}

export async function reply(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(answer.status === 204 ? undefined : await answer.text())
}

/**
 * `away`: the API is unreachable. `lost`: the API does the request, but its response never arrives. `forgotten`:
 * the API accepts the report and later does not know the wallet, as after a restore from a backup.
 */
export type GateFault = 'away' | 'lost' | 'forgotten'

export interface ApiGate {
  readonly url: string
  /** URL of the target, with `/api/v0`. */
  target: string
  /** Faults of the next wallet reports, in order. */
  readonly faults: GateFault[]
  /** Holds the response to the next report until the test releases it; the API has done the report by then. */
  hold(): { readonly arrived: Promise<void>; release(): void }
  /** Records that R1 has reported. */
  readonly reported: string[]
  stop(): void
}

/** Starts a proxy between R1 and the product API, whose faults hit wallet reports only. */
export async function startApiGate(): Promise<ApiGate> {
  const faults: GateFault[] = []
  const reported: string[] = []
  let held: { arrive(): void; readonly released: Promise<void> } | undefined
  const proxy = await startProxy(async (request, response, body) => {
    const isReport = request.url?.endsWith('/embedded-wallets') === true
    if (isReport) reported.push(JSON.parse(body).record)
    const fault = isReport ? faults.shift() : undefined
    if (fault === 'away') return request.socket.destroy()
    if (fault === 'forgotten') return response.writeHead(204).end()
    const answer = await forward(gate.target + (request.url ?? ''), request, body)
    const holding = isReport ? held : undefined
    if (holding) {
      held = undefined
      holding.arrive()
      await holding.released
    }
    return fault === 'lost' ? request.socket.destroy() : reply(response, answer)
  })
  const gate: ApiGate = {
    ...proxy,
    target: '',
    faults,
    reported,
    hold() {
      const [arrived, released] = [signal(), signal()]
      held = { arrive: arrived.resolve, released: released.promise }
      return { arrived: arrived.promise, release: released.resolve }
    },
  }
  return gate
}

export function signal(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
