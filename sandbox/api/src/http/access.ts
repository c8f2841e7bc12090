/** What each kind of access proves of the caller. `app/access.ts` checks it. */
import type { proofs, sessions } from '../db/schema.js'

export type ActiveSession = typeof sessions.$inferSelect

/** A session's public key, whose owner sent the request. */
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

/** What a route learns, by its access. */
export interface AccessFacts {
  /** Anyone. */
  readonly public: object
  /** Anyone who proves to hold a session key, for calls that lead to a session. */
  readonly key: { readonly key: ProvedKey }
  /** The same, for a route that spends the proof itself, together with what it does. */
  readonly proof: { readonly proof: UnspentProof }
  /** A valid access token; for reading, so that the host's server can use its user's token. */
  readonly bearer: { readonly session: ActiveSession }
  /** An access token and the proof of its session key: a stolen token alone changes nothing. */
  readonly session: { readonly session: ActiveSession; readonly key: ProvedKey }
  /**
   * An access token from a wallet frame, and from nowhere else. The route checks that the session's key agreed
   * (`mfa/statement.ts`), since the frame does not hold that key.
   */
  readonly frame: { readonly session: ActiveSession; readonly origin: string }
  /** A token of the host's server. */
  readonly 'api-token': object
  /** The operator of this service. */
  readonly operator: object
}
export type Access = keyof AccessFacts
