/**
 * Rules for keeping and erasing shares in this browser. All of them are here and in `share-store.ts`, which has no
 * other way to erase a share. Each rule names its event (and actor) and its outcome.
 *
 * - The run that made the new backup ends, and a record names the new share's public package (the user and R1, signed;
 *   `confirm`): the confirmed share stays, and older shares of its set are erased.
 * - At any other time, a record names the public package of a pending, new or kept share (R1, signed): that share
 *   signs, and the others are kept aside.
 * - A record revokes the primary set (R1, signed): the share is retired, and kept until the user agrees to erase it.
 * - A record revokes an additional set (R1, signed): the share is retired, and erased after 30 days of use (`sweep`) or
 *   once the user agrees.
 * - A record names another package, an older epoch or another wallet (R1, signed): everything stays.
 * - An error code, a lost response, a missing list entry or an expired ceremony (any relay, unsigned): everything
 *   stays, and a later record decides.
 * - A new ceremony or a restore replaces a share (the user): the share is kept aside; only the first rule erases it.
 * - The user revokes this browser or erases a retired share (the user, in the visible frame; `erase`): the share is
 *   erased, unless it changed since the user was asked.
 * - Sign-out or `cleanup` (the user or the page): the share stays, and only memory is cleared.
 * - The user changes the password (the user): the share is sealed again.
 */
import { toBase64Url } from '@keybay/kernel/spec'
import type { KeptSet, KeptShare, Retirement } from './kept.js'

const DAY_MS = 86_400_000
/** Time that the share of a retired additional set stays. */
const RETIRED_LIFETIME_MS = 30 * DAY_MS
/** Maximum time that one count adds, so that a clock that jumps a month ahead costs one day. */
const MAX_COUNTED_AT_ONCE_MS = DAY_MS

/** Returns true if the share belongs to this public package (base64url of the `ShareSet`). */
export function isOfPackage({ set }: KeptShare, publicPackage: string): boolean {
  return toBase64Url(set) === publicPackage
}

export function retire(stored: KeptSet, reason: Retirement['reason'], now: number): KeptSet {
  if (stored.retired?.reason === reason) return stored
  // A signed revocation restarts the count, because the user could not know of it before.
  const counted = reason === 'ended' ? stored.retired : undefined
  return { ...stored, retired: { seenAt: now, countedMs: 0, ...counted, reason } }
}

/** Adds the time since the last count. Returns undefined once the share may be erased. Primary sets never expire. */
export function countRetired(stored: KeptSet, now: number): KeptSet | undefined {
  const { retired } = stored
  if (!retired || stored.kind === 'primary') return stored
  const passedMs = Math.min(Math.max(now - retired.seenAt, 0), MAX_COUNTED_AT_ONCE_MS)
  const countedMs = retired.countedMs + passedMs
  if (countedMs >= RETIRED_LIFETIME_MS) return undefined
  return { ...stored, retired: { ...retired, seenAt: now, countedMs } }
}

function getHolders(stored: KeptSet): readonly KeptSet[] {
  return [stored, ...(stored.aside ?? [])]
}
function getPackages({ share, pending }: KeptSet): readonly string[] {
  return [share, pending?.share].flatMap(held => (held ? [toBase64Url(held.set)] : []))
}
/** Returns the public packages of all shares of the set, as one string to compare. */
export function heldBy(stored: KeptSet): string {
  return getHolders(stored).flatMap(getPackages).join()
}

/** Returns `next`, and keeps aside each set of `before` with a share that `next` would drop. */
export function withNothingLost(before: KeptSet | undefined, next: KeptSet): KeptSet {
  if (!before) return next
  const known = new Set(getHolders(next).flatMap(getPackages))
  const lost = getHolders(before).filter(holder => getPackages(holder).some(name => !known.has(name)))
  if (lost.length === 0) return next
  return { ...next, aside: [...(next.aside ?? []), ...lost.map(holder => ({ ...holder, aside: undefined }))] }
}
