/** The audit record: one chain of hashes for each share set. Whoever has a later head can tell if an entry was changed or left out. */
import { sha256 } from '../crypto/jwk.js'

/** What happened. Never what was signed, only its hash. */
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
}

/** hash = base64url SHA-256 of: hash before, line feed, the entry's exact text. */
export function chain(head: { readonly sequence: number; readonly hash: string }, entry: AuditEntry): AuditLink {
  const text = JSON.stringify(entry)
  return { sequence: head.sequence + 1, entry: text, hash: sha256(`${head.hash}\n${text}`) }
}
