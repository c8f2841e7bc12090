import { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'

/** Thrown when a port is taken. The message names the service and the variable that changes the port. */
export class PortTakenError extends Error {
  constructor({ service, variable, port }: { service: string; variable: string; port: number }) {
    super(
      `${service} cannot start: port ${port} is taken by another program. Set ${variable} to another port, for example: ${variable}=${port + 1000}`,
    )
    this.name = 'PortTakenError'
  }
}

export interface ListenOptions {
  readonly service: string
  readonly variable: string
  /** Port to listen on; 0 picks any free port. */
  readonly port: number
  readonly host: string
}

/**
 * Keep-alive time in ms, longer than clients and load balancers keep an idle connection (60 s): otherwise the server
 * could close a connection while a request is in transit.
 */
const KEEP_ALIVE_MS = 65_000

/** Longest time for receiving a request, in ms: less than running requests have at a stop. */
const REQUEST_TIMEOUT_MS = 15_000

/** Options of a server that ends slow requests: without them, Node waits 5 minutes, and looks every 30 s. */
export function getServerOptions(requestTimeout = REQUEST_TIMEOUT_MS) {
  return { requestTimeout, connectionsCheckingInterval: Math.min(1_000, requestTimeout) }
}

/** Sockets of each server that have sent no request, as browsers open them ahead. Node counts them as busy. */
const unused = new WeakMap<Server, Set<Socket>>()

function trackUnused(server: HttpServer): void {
  const sockets = new Set<Socket>()
  unused.set(server, sockets)
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }) => sockets.delete(socket))
}

/** Listens; returns the port. @throws PortTakenError */
export function listen(server: Server, { service, variable, port, host }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    if (server instanceof HttpServer) {
      server.keepAliveTimeout = KEEP_ALIVE_MS
      trackUnused(server)
    }
    const failed = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTakenError({ service, variable, port }) : error)
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Longer than any request: its body has 15 s, custody, mail and SMS have 10 s for their part, the other relay has 8 s. */
const GRACE_MS = 20_000
/** Time for a request that is on its way on a new connection. */
const UNUSED_GRACE_MS = 1_000

/** Stops accepting connections and lets running requests end, for at most `graceMs`. */
export function closeServer(server: Server, graceMs = GRACE_MS): Promise<void> {
  return new Promise(resolve => {
    const http = server instanceof HttpServer ? server : undefined
    const impatience = setTimeout(() => http?.closeAllConnections(), graceMs)
    const lateUnused = setTimeout(
      () => {
        for (const socket of unused.get(server) ?? []) socket.destroy()
      },
      Math.min(UNUSED_GRACE_MS, graceMs),
    )
    server.close(() => {
      clearTimeout(impatience)
      clearTimeout(lateUnused)
      resolve()
    })
    // A connection that is still sending its last response is not idle yet: close it right after.
    if (http) http.keepAliveTimeout = 1
    http?.closeIdleConnections()
  })
}
