/** Request, as a route sees it. */
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** In seconds; 0 removes the cookie. */
  readonly maxAge: number
}

export interface Call {
  readonly services: Services
  readonly environment: Environment
  readonly method: string
  readonly path: string
  readonly rawBody: string
  /** Network of the caller: an IPv4 address or an IPv6 /64. */
  readonly network: string
  /** Origin of the page, already checked to be one of the environment's. */
  readonly origin: string | undefined
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  setCookie(cookie: Cookie): void
  /** Adds fields to the request's log line. */
  note(fields: Readonly<Record<string, string>>): void
}
