/** A proxy in front of the instances of a service, which behaves like Caddy in `sandbox/deploy`. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { freePort } from '@keybay/sandbox-tools/free-port'

/** Time between two questions whether an instance is ready. */
const CHECK_MS = 250

const RETRY_AFTER_S = 2
const UNAVAILABLE = JSON.stringify({ code: 'service_unavailable', details: { retryAfter: RETRY_AFTER_S } })

export interface Target {
  readonly port: number
  isReady: boolean
}

export interface Balancer {
  readonly port: number
  readonly targets: Set<Target>
  /** Answers of services by status, and each that is no good answer: 5xx, but for 503 with Retry-After. */
  readonly statuses: Map<number, number>
  readonly failures: string[]
  /** Trace that requests from outside begin, as a proxy with OpenTelemetry does. Services send on the trace of theirs. */
  traceId?: string | undefined
  stop(): void
}

async function isReady({ port }: Target): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(5_000) })).ok
  } catch {
    return false
  }
}

export async function startBalancer(): Promise<Balancer> {
  const targets = new Set<Target>()
  const statuses = new Map<number, number>()
  const failures: string[] = []
  let turn = 0
  const pick = (tried: ReadonlySet<Target>): Target | undefined => {
    const able = [...targets].filter(target => target.isReady && !tried.has(target))
    return able[turn++ % able.length]
  }
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tried: Set<Target>): void => {
    const target = pick(tried)
    if (!target) return void outgoing.writeHead(503, { 'retry-after': String(RETRY_AFTER_S) }).end(UNAVAILABLE)
    const { method, url } = incoming
    // Each request comes from another network, so that the limits of one network do not count.
    const headers = {
      ...(balancer.traceId !== undefined && { traceparent: `00-${balancer.traceId}-${'1'.padStart(16, '0')}-01` }),
      ...incoming.headers,
      'x-forwarded-for': `198.51.${turn % 100}.${turn % 250}`,
    }
    const inner = request(
      { host: '127.0.0.1', port: target.port, method, path: url, headers, agent: false },
      answer => {
        const status = answer.statusCode ?? 0
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const isGood = status < 500 || (status === 503 && answer.headers['retry-after'] !== undefined)
        if (!isGood) failures.push(`${method} ${url} ${status}`)
        outgoing.writeHead(status, answer.headers)
        answer.on('error', () => outgoing.destroy())
        answer.pipe(outgoing)
      },
    )
    inner.on('error', error => {
      target.isReady = false
      // Only a request that never arrived may be sent again.
      if ('code' in error && error.code === 'ECONNREFUSED') forward(incoming, outgoing, body, tried.add(target))
      else outgoing.destroy()
    })
    inner.end(body)
  }
  const server: Server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', part => parts.push(part))
    incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(parts), new Set()))
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const timer = setInterval(() => {
    for (const target of targets) void isReady(target).then(ready => (target.isReady = ready))
  }, CHECK_MS)
  const balancer: Balancer = {
    port,
    targets,
    statuses,
    failures,
    stop() {
      clearInterval(timer)
      server.close().closeAllConnections()
    },
  }
  return balancer
}
