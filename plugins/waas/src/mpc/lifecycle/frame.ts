/**
 * Rules of the frame for its share sets: which share signs, which is kept aside, and which is erased on whose word.
 * `LIFECYCLE.md` lists them. Every function is pure; the frame's store applies the result in one transaction.
 */
import { toBase64Url } from '@keybay/kernel/spec'
import type { HeldCeremony, HeldSet, HeldShare, Retirement } from './states.js'

const DAY_MS = 86_400_000
/** Time that the share of a retired additional set stays. */
const RETIRED_LIFETIME_MS = 30 * DAY_MS
/** Maximum time that one count adds, so that a clock that jumps a month ahead costs one day. */
const MAX_COUNTED_AT_ONCE_MS = DAY_MS

/** Verified record of a set, as a relay listed it. */
export interface SeenRecord {
  readonly wallet: string
  readonly address: string
  readonly epoch: number
  readonly status: 'active' | 'revoked'
  /** Public `ShareSet` by the mpc codec, base64url. */
  readonly pub: string
  /** Signed text. */
  readonly record: string
}

/** Settled set, and whether the record confirms its share. */
export interface Settled<Kept> {
  readonly set: Kept
  readonly isConfirmed: boolean
}

const NOTHING_PENDING = { pending: undefined, creation: undefined, delivered: undefined, retired: undefined } as const

/** Returns true if the share belongs to this public package (base64url of the `ShareSet`). */
export function isOfPackage({ set }: HeldShare, publicPackage: string): boolean {
  return toBase64Url(set) === publicPackage
}

function retire<Kept extends HeldSet<Kept>>(stored: Kept, reason: Retirement['reason'], now: number): Kept {
  if (stored.retired?.reason === reason) return stored
  // A signed revocation restarts the count, because the user could not know of it before.
  const counted = reason === 'ended' ? stored.retired : undefined
  return { ...stored, retired: { seenAt: now, countedMs: 0, ...counted, reason } }
}

function afterCommit<Kept extends HeldSet<Kept>>(
  stored: Kept,
  { share, scheme, backup, envelope }: HeldCeremony,
  record: string,
): Kept {
  const backups = backup ? [backup] : []
  return { ...stored, ...NOTHING_PENDING, share, scheme, record, backups, envelope: backup ? undefined : envelope }
}

/** Returns the set after its creation was committed. Drops the envelope if a provider has it. */
function afterCreation<Kept extends HeldSet<Kept>>(stored: Kept, record: string): Kept {
  const envelope = stored.backups.length > 0 ? undefined : stored.envelope
  return { ...stored, ...NOTHING_PENDING, record, envelope }
}

function withRecord<Kept extends HeldSet<Kept>>(stored: Kept, record: string): Kept {
  return stored.record === record ? stored : { ...stored, record }
}

function getHolders<Kept extends HeldSet<Kept>>(stored: Kept): readonly Kept[] {
  return [stored, ...(stored.aside ?? [])]
}

function getPackages<Kept extends HeldSet<Kept>>({ share, pending }: Kept): readonly string[] {
  return [share, pending?.share].flatMap(held => (held ? [toBase64Url(held.set)] : []))
}

/** Returns the public packages of all shares of the set. */
export function heldPackages<Kept extends HeldSet<Kept>>(stored: Kept): readonly string[] {
  return getHolders(stored).flatMap(getPackages)
}

function onActiveRecord<Kept extends HeldSet<Kept>>(stored: Kept, seen: SeenRecord, now: number): Settled<Kept> {
  const { record, epoch, pub } = seen
  const { share, pending, aside = [], creation, retired, kind } = stored
  // An additional set that was revoked stays revoked, even if the relay's database was restored.
  if (retired?.reason === 'revoked' && kind !== 'primary') return { set: stored, isConfirmed: false }
  if (isOfPackage(share, pub)) {
    if (creation) return { set: afterCreation(stored, record), isConfirmed: true }
    return { set: withRecord(retired ? { ...stored, retired: undefined } : stored, record), isConfirmed: true }
  }
  if (pending && isOfPackage(pending.share, pub))
    return { set: afterCommit(stored, pending, record), isConfirmed: true }
  const before = aside.find(set => getPackages(set).includes(pub))
  // Storing this set keeps the replaced share aside.
  if (before) return { set: onActiveRecord(before, seen, now).set, isConfirmed: false }
  // Another share is active. A record older than our share decides nothing.
  if (epoch < share.epoch) return { set: stored, isConfirmed: false }
  if (creation) return { set: retire(stored, 'ended', now), isConfirmed: false }
  return { set: epoch > share.epoch ? withRecord(stored, record) : stored, isConfirmed: false }
}

/**
 * R1 lists its record of a set.
 * @param seen undefined if the relay lists none, which decides nothing about a wallet that exists
 * @param now ms since epoch
 */
export function onRecord<Kept extends HeldSet<Kept>>(
  stored: Kept,
  seen: SeenRecord | undefined,
  now: number,
): Settled<Kept> {
  const isOurs = seen?.wallet === stored.walletId && seen.address === stored.address
  if (!seen || !isOurs) {
    const isOver = stored.creation !== undefined && stored.creation.expiresAt <= now
    return { set: isOver ? retire(stored, 'ended', now) : stored, isConfirmed: false }
  }
  if (seen.status === 'revoked')
    return { set: withRecord(retire(stored, 'revoked', now), seen.record), isConfirmed: false }
  return onActiveRecord(stored, seen, now)
}

/**
 * A relay refused to commit a share for good, without a signature. The next attempt deals again; every share stays,
 * and a later record decides.
 */
export function onRefusal<Kept extends HeldSet<Kept>>(stored: Kept, refused: HeldShare, now: number): Kept {
  const { pending, creation, share } = stored
  const refusedPackage = toBase64Url(refused.set)
  if (pending && isOfPackage(pending.share, refusedPackage)) return { ...stored, pending: { ...pending, ended: true } }
  return creation && isOfPackage(share, refusedPackage) ? retire(stored, 'ended', now) : stored
}

/** The frame stores a set: returns `next`, and keeps aside each set of `before` with a share that `next` would drop. */
export function onWrite<Kept extends HeldSet<Kept>>(before: Kept | undefined, next: Kept): Kept {
  if (!before) return next
  const known = new Set(heldPackages(next))
  const lost = getHolders(before).filter(holder => getPackages(holder).some(name => !known.has(name)))
  if (lost.length === 0) return next
  return { ...next, aside: [...(next.aside ?? []), ...lost.map(holder => ({ ...holder, aside: undefined }))] }
}

/**
 * The run that made the new backup ends with a record that names its share: the older shares of the set are erased. A
 * run that ends late keeps the newer shares of another run, which may be active by now.
 */
export function onConfirm<Kept extends HeldSet<Kept>>(set: Kept): Kept {
  const { epoch } = set.share
  const newer = set.aside?.filter(({ share, pending }) => Math.max(share.epoch, pending?.share.epoch ?? 0) > epoch)
  return { ...set, aside: newer?.length ? newer : undefined, retired: undefined }
}

/** Adds the time since the last count. Returns undefined once the share may be erased. Primary sets never expire. */
export function onSweep<Kept extends HeldSet<Kept>>(stored: Kept, now: number): Kept | undefined {
  const { retired } = stored
  if (!retired || stored.kind === 'primary') return stored
  const passedMs = Math.min(Math.max(now - retired.seenAt, 0), MAX_COUNTED_AT_ONCE_MS)
  const countedMs = retired.countedMs + passedMs
  if (countedMs >= RETIRED_LIFETIME_MS) return undefined
  return { ...stored, retired: { ...retired, seenAt: now, countedMs } }
}

/** Returns true if the user's consent to erase `agreed` covers the set as it is now. */
export function coversErasure<Kept extends HeldSet<Kept>>(agreed: Kept, current: Kept): boolean {
  const isSame = heldPackages(current).join() === heldPackages(agreed).join()
  // A share that was retired when the user was asked may be active again.
  return isSame && (!agreed.retired || current.retired !== undefined)
}
