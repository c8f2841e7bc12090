/** Describes the relays that a client may trust. */

/** One party of the relay. */
export interface RelayConfiguration {
  readonly party: 'R1' | 'R2'
  /** Its API, e.g. `http://localhost:4300/api/v0`. */
  readonly url: string
  /** The keys that it signs its records with, pinned here: the newest first. */
  readonly recordKeys: readonly RecordKey[]
  /** The key that is sealed for, X25519 in base64url, pinned here. Without it R1's word on it is believed. */
  readonly sealingKey?: string | undefined
}
/** A public P-256 JWK. */
export interface RecordKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}
