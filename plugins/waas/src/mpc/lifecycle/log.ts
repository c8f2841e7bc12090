/**
 * Rules of the log of R1's signed records: what makes a log whole, and what follows from a difference between two
 * relays. Plain data in and out: the caller has verified every signature.
 */
import { toBase64Url } from '@keybay/kernel/spec'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Claims of a signed record that place it in the history of its wallet. */
export interface HistoryClaims {
  readonly walletId: string
  readonly setId: string
  readonly epoch: number
  readonly status: 'active' | 'revoked'
  /** Number of the record in the history, from 0. */
  readonly generation: number
  /** Hash of the record before; empty for the first. */
  readonly prev: string
  readonly policyHash: string
  /** Keyed hash of the account that gets the wallet's backups; absent before the first backup at a provider. */
  readonly backupAccount?: string | undefined
}
export interface LoggedRecord {
  readonly claims: HistoryClaims
  /** The signed record as text. */
  readonly record: string
  /** Canonical JSON of the set's policy. */
  readonly policy: string
}
export interface LogEntry extends LoggedRecord {
  /** Number of the entry, from 1. */
  readonly sequence: number
  /** Hash of the entry before and of this record. */
  readonly hash: string
}

export type LogFault =
  /** An entry is missing, repeated or out of order. */
  | 'sequence'
  /** An entry does not continue the chain of hashes. */
  | 'chain'
  /** A record is not the next one of its wallet. */
  | 'generation'
  /** A record names another record as the one before it. */
  | 'history'
  /** The policy is not the one that the record names. */
  | 'policy'
  /** A record goes back to an earlier epoch, or follows the revocation of its set. */
  | 'revived'
  /** A record no longer names the account that gets the wallet's backups. */
  | 'account'

export class LogError extends Error {
  override readonly name = 'LogError'
  readonly fault: LogFault
  readonly claims: HistoryClaims

  constructor(fault: LogFault, claims: HistoryClaims) {
    super(`Record ${claims.generation} of wallet ${claims.walletId} breaks the log: ${fault}`)
    this.fault = fault
    this.claims = claims
  }
}

/** Returns base64url SHA-256 of a text. */
export function hashText(text: string): string {
  return toBase64Url(sha256(utf8ToBytes(text)))
}

/** Returns the hash of an entry. @param before hash of the entry before; empty for the first */
export function hashEntry(before: string, record: string): string {
  return hashText(`${before}\n${record}`)
}

/** Newest record of a wallet. */
export interface Head {
  readonly generation: number
  readonly hash: string
}

/** Verifies the history of one wallet, from its first record on. @throws LogError */
export function verifyHistory(records: readonly LoggedRecord[]): Head | undefined {
  let head: Head | undefined
  let account: string | undefined
  const sets = new Map<string, HistoryClaims>()
  for (const { claims, record, policy } of records) {
    if (claims.generation !== (head ? head.generation + 1 : 0)) throw new LogError('generation', claims)
    if (claims.prev !== (head?.hash ?? '')) throw new LogError('history', claims)
    if (claims.policyHash !== hashText(policy)) throw new LogError('policy', claims)
    const before = sets.get(claims.setId)
    if (before && (before.status === 'revoked' || claims.epoch < before.epoch)) throw new LogError('revived', claims)
    if (account !== undefined && claims.backupAccount === undefined) throw new LogError('account', claims)
    account = claims.backupAccount
    sets.set(claims.setId, claims)
    head = { generation: claims.generation, hash: hashText(record) }
  }
  return head
}

/** Verifies a whole log. @returns the hash of its last entry, empty for an empty log. @throws LogError */
export function verifyLog(entries: readonly LogEntry[]): string {
  let head = ''
  const histories = new Map<string, LogEntry[]>()
  for (const [index, entry] of entries.entries()) {
    if (entry.sequence !== index + 1) throw new LogError('sequence', entry.claims)
    head = hashEntry(head, entry.record)
    if (entry.hash !== head) throw new LogError('chain', entry.claims)
    const { walletId } = entry.claims
    histories.set(walletId, [...(histories.get(walletId) ?? []), entry])
  }
  for (const history of histories.values()) verifyHistory(history)
  return head
}

/** Records that a relay has of a wallet. */
export interface Side extends Head {
  /** Hash of this side's record at the other side's newest generation; undefined if its history is shorter. */
  readonly at?: string | undefined
}
export type Relation = 'equal' | 'ahead' | 'behind' | 'fork'

/** Compares what a relay has of a wallet with what its peer has. */
export function compareHistories(own: Side | undefined, peer: Side | undefined): Relation {
  if (!own) return peer ? 'behind' : 'equal'
  if (!peer) return 'ahead'
  if (own.generation === peer.generation) return own.hash === peer.hash ? 'equal' : 'fork'
  if (own.generation > peer.generation) return own.at === peer.hash ? 'ahead' : 'fork'
  return peer.at === own.hash ? 'behind' : 'fork'
}

export type Consequence =
  /** The wallet signs. */
  | 'serve'
  /** The wallet signs, and the peer gets what it misses. */
  | 'deliver'
  /** The wallet signs nothing until the records that the peer has are applied. */
  | 'repair'
  /** The wallet signs nothing until its operator has found out which relay has the true history. */
  | 'quarantine'

/** Decides what follows from a comparison. R2 delivers nothing: only R1 signs records. */
export function afterComparison(party: 'R1' | 'R2', relation: Relation): Consequence {
  if (relation === 'fork') return 'quarantine'
  if (relation === 'behind') return 'repair'
  return relation === 'ahead' && party === 'R1' ? 'deliver' : 'serve'
}

export type Extension =
  | 'append'
  | 'known'
  /** Records between the newest one and this one are missing here. */
  | 'gap'
  | 'fork'

/** Decides about a record for the log. @param at hash of the own record of its generation, if there is one */
export function onNewRecord(
  head: Head | undefined,
  at: string | undefined,
  { generation, prev, hash }: Pick<HistoryClaims, 'generation' | 'prev'> & { readonly hash: string },
): Extension {
  const next = head ? head.generation + 1 : 0
  if (generation > next) return 'gap'
  if (generation < next) return at === hash ? 'known' : 'fork'
  return prev === (head?.hash ?? '') ? 'append' : 'fork'
}
