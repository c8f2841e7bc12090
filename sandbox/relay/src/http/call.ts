/** Request as a route sees it. */
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'

/** Data that R1 adds when it forwards a request to R2. */
export interface FromPeer {
  /** API receipt for an MFA token that R1 redeemed. */
  readonly mfa?: string | undefined
  /** Messages of R1, depending on the route. */
  readonly extra: unknown
}

export interface Call {
  readonly services: Services
  readonly environment: Environment
  /** Path as the frame requested it, below `/sdk/{environmentId}`. */
  readonly path: string
  readonly rawBody: string
  header(name: string): string | undefined
  /** Always present at R2; absent at R1. */
  readonly fromPeer: FromPeer | undefined
  /** Adds fields to the request's log line. */
  note(fields: Readonly<Record<string, string>>): void
}
