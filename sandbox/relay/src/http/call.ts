/** One request as a route sees it. */
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'

/** What R1 adds when it hands a request on to R2. */
export interface FromPeer {
  /** The API's receipt for an MFA token that R1 redeemed for it. */
  readonly mfa?: string | undefined
  /** R1's own messages, by the route. */
  readonly extra: unknown
}

export interface Call {
  readonly services: Services
  readonly environment: Environment
  /** As the frame asked for it, below `/sdk/{environmentId}`. */
  readonly path: string
  readonly rawBody: string
  header(name: string): string | undefined
  /** Present at R2, always; absent at R1. */
  readonly fromPeer: FromPeer | undefined
  /** Goes into the request's log line. */
  note(fields: Readonly<Record<string, string>>): void
}
