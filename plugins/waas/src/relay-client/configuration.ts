/** Describes the relays that a client may trust. */

/** One party of the relay. */
export interface RelayConfiguration {
  readonly party: 'R1' | 'R2'
  /** Its API, e.g. `http://localhost:4300/api/v0`. */
  readonly url: string
  /** Pinned keys of its signed records, newest first. */
  readonly recordKeys: readonly RecordKey[]
  /** Pinned key that private messages are sealed for, X25519 in base64url. Default: the key that R1 names. */
  readonly sealingKey?: string | undefined
}
/** A public P-256 JWK. */
export interface RecordKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}
