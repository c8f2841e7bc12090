/** Proxy between R1 and the product API. Requests pass, unless a test requests a fault for the next wallet report. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/**
 * `away`: the API is unreachable. `lost`: the API does the request, but its response never arrives. `forgotten`:
 * the API accepts the report and later does not know the wallet, as after a restore from a backup.
 */
export type GateFault = 'away' | 'lost' | 'forgotten'

export interface ApiGate {
  readonly url: string
  /** URL of the target, with `/api/v0`. */
  target: string
  /** Faults of the next reports, in order. */
  readonly faults: GateFault[]
  /** Holds the response to the next report until the test releases it; the API has done the report by then. */
  hold(): { readonly arrived: Promise<void>; release(): void }
  /** Records that R1 has reported. */
  readonly reported: string[]
  stop(): void
}

interface Held {
  arrive(): void
  readonly released: Promise<void>
}

export async function startApiGate(): Promise<ApiGate> {
  const faults: GateFault[] = []
  const reported: string[] = []
  let held: Held | undefined
  const server = createServer(async (request, response) => {
    try {
      const body = await read(request)
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
      if (fault === 'lost') return request.socket.destroy()
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(answer.status === 204 ? undefined : await answer.text())
    } catch {
      request.socket.destroy()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const gate: ApiGate = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    target: '',
    faults,
    reported,
    hold() {
      const arrived = signal()
      const released = signal()
      held = { arrive: arrived.resolve, released: released.promise }
      return { arrived: arrived.promise, release: released.resolve }
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return gate
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function forward(url: string, { method = 'GET', headers }: IncomingMessage, body: string): Promise<Response> {
  const { authorization, 'content-type': type } = headers
  return fetch(url, {
    method,
    headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    ...(body !== '' && { body }),
  })
}

function signal(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
