/** One request as a route sees it. */
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** Seconds; 0 removes it. */
  readonly maxAge: number
}

export interface Call {
  readonly services: Services
  readonly environment: Environment
  readonly method: string
  readonly path: string
  readonly rawBody: string
  /** The network that it came from: an IPv4 address or an IPv6 /64. */
  readonly network: string
  /** Of the page, already checked to be one of the environment's. */
  readonly origin: string | undefined
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  setCookie(cookie: Cookie): void
  /** Goes into the request's log line. */
  note(fields: Readonly<Record<string, string>>): void
}
