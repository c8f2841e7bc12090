/** Lists what each kind of access proves about the caller. `app/access.ts` checks it. */
import type { proofs, sessions } from '../db/schema.js'

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

/** Facts that a route receives, by its access. */
export interface AccessFacts {
  /** Any caller. */
  readonly public: object
  /** Any caller that proves to hold a session key, for calls that lead to a session. */
  readonly key: { readonly key: ProvedKey }
  /** Like `key`, for a route that spends the proof itself, in one statement with its own work. */
  readonly proof: { readonly proof: UnspentProof }
  /** Valid access token, for reading: the host's server can use its user's token. */
  readonly bearer: { readonly session: ActiveSession }
  /** Access token and the proof of its session key, so a stolen token alone changes nothing. */
  readonly session: { readonly session: ActiveSession; readonly key: ProvedKey }
  /**
   * Access token from a wallet frame, and from nowhere else. The route checks that the session's key agreed
   * (`mfa/statement.ts`), because the frame does not hold that key.
   */
  readonly frame: { readonly session: ActiveSession; readonly origin: string }
  /** API token of the host's server. */
  readonly 'api-token': object
  /** Operator of this service. */
  readonly operator: object
}
export type Access = keyof AccessFacts
