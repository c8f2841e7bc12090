import { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'

/** A port is taken. The message names the service and the variable that moves it. */
export class PortTakenError extends Error {
  constructor({ service, variable, port }: { service: string; variable: string; port: number }) {
    super(
      `${service} cannot start: port ${port} is taken by another program. Set ${variable} to another port, for example: ${variable}=${port + 1000}`,
    )
    this.name = 'PortTakenError'
  }
}

export interface ListenOptions {
  /** Named in the error. */
  readonly service: string
  /** The environment variable of the port, named in the error. */
  readonly variable: string
  /** 0 takes any free one. */
  readonly port: number
  readonly host: string
}

/** Longer than clients and balancers keep an idle connection (60 s): else a request may meet its end on the way, ms. */
const KEEP_ALIVE_MS = 65_000

/** Listens; returns the port. @throws PortTakenError */
export function listen(server: Server, { service, variable, port, host }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    if (server instanceof HttpServer) server.keepAliveTimeout = KEEP_ALIVE_MS
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

/** Takes no new connection and lets running requests end, for `graceMs` at most. */
export function closeServer(server: Server, graceMs = 3_000): Promise<void> {
  return new Promise(resolve => {
    const http = server instanceof HttpServer ? server : undefined
    const impatience = setTimeout(() => http?.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
    // A connection whose last answer is under way is not idle yet: it ends right after.
    if (http) http.keepAliveTimeout = 1
    http?.closeIdleConnections()
  })
}
