/** Request, as a route sees it. */
import type { proofs, sessions } from '../db/schema.js'
import type { Environment } from '../environments.js'
import type { ApiTokenScope } from '../security/api-token-scopes.js'
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

export type ActiveSession = typeof sessions.$inferSelect

/** Public key of a session, whose holder sent the request. */
export interface ProvedKey {
  /** RFC 7638 */
  readonly thumbprint: string
  readonly publicKey: ActiveSession['publicKey']
}

/** A valid proof that may have been used before (RFC 9449 §11.1). */
export interface UnspentProof {
  readonly key: ProvedKey
  readonly row: typeof proofs.$inferInsert
}

/** Access token with a valid signature, whose session may have ended. */
export interface AccessToken {
  readonly sessionId: string
  readonly userId: string
  readonly isCookie: boolean
  /** `bearer` for a token that the page of a session in cookies can read. */
  readonly use: string | undefined
}

export interface AccessFacts {
  readonly public: object
  /** Any caller that proves to hold a session key, for calls that lead to a session. */
  readonly key: { readonly key: ProvedKey }
  /** Like `key`, for a route that spends the proof itself, in one statement with its own work. */
  readonly proof: { readonly proof: UnspentProof }
  /** Valid access token, for reading: the host's server can use its user's token. */
  readonly bearer: { readonly session: ActiveSession }
  /** Like `bearer`, for a route that reads the session itself, in one statement with what it returns. */
  readonly token: { readonly token: AccessToken }
  /** Access token and the proof of its session key, so a stolen token alone changes nothing. */
  readonly session: { readonly session: ActiveSession; readonly key: ProvedKey }
  /** Access token from a wallet frame. The route checks that the session's key agreed (`mfa/statement.ts`). */
  readonly frame: { readonly session: ActiveSession; readonly origin: string }
  /** Like `frame`, with a proof of a key of the frame's own, which no page holds. */
  readonly 'frame-key': { readonly session: ActiveSession; readonly origin: string; readonly key: ProvedKey }
  readonly 'api-token': { readonly scopes: readonly ApiTokenScope[] }
  readonly operator: object
}
export type Access = keyof AccessFacts
