/** Audit log: one hash chain per share set. A later head reveals a changed or missing entry. */
import { sha256 } from '../crypto/jwk.js'

/** Event of a set: only the hash of the signed data, never the data. */
export interface AuditEntry {
  /** ms since epoch */
  readonly at: number
  readonly what:
    | 'created'
    | 'signed'
    | 'refused'
    | 'dealt'
    | 'committed'
    | 'revoked'
    | 'policy'
    | 'backup'
    | 'exported'
    | 'permitted'
    | 'bad-share'
    | 'frozen'
    | 'quarantined'
    | 'released'
    | 'lost'
    | 'blocked'
    | 'unblocked'
    | 'erased'
  readonly userId: string
  readonly sessionId?: string
  readonly tokenId?: string
  readonly device?: string
  readonly epoch: number
  readonly hash?: string
  readonly [fact: string]: string | number | boolean | undefined
}
export interface AuditLink {
  readonly sequence: number
  readonly entry: string
  readonly hash: string
  /** ms since epoch */
  readonly at: number
}

/** Returns base64url SHA-256 of: previous hash, line feed, exact text of the entry. */
export function hashEntry(before: string, entry: string): string {
  return sha256(`${before}\n${entry}`)
}

/** Adds a link to the chain. */
export function chain(head: { readonly sequence: number; readonly hash: string }, entry: AuditEntry): AuditLink {
  const text = JSON.stringify(entry)
  return { sequence: head.sequence + 1, entry: text, hash: hashEntry(head.hash, text), at: entry.at }
}
