/**
 * What may happen to a share in this browser. All rules are here and in `share-store.ts`, which has no other way to erase one.
 *
 * | what happens | who causes it | what becomes of the share |
 * | --- | --- | --- |
 * | the user's own run ends: its backup is made, and a record names its new share's public package | the user and R1, signed (`confirm`) | the confirmed share stays; older ones of its set are erased |
 * | at any other time, a record names the public package of a pending, new or kept share | R1, signed | that share signs; the others are kept aside |
 * | a record says the primary set is revoked | R1, signed | retired: kept until the user agrees to erase it |
 * | a record says an additional set is revoked | R1, signed | retired: erased after 30 days of use (`sweep`), or once the user agrees |
 * | a record names another package, an older epoch or another wallet | R1, signed | everything stays |
 * | an error code, a lost answer, a missing list entry, an expired ceremony | any relay, unsigned | everything stays; a later record decides |
 * | a new ceremony or a restore takes the place of a share | the user | the share is kept aside; only the first row erases it |
 * | the user revokes this browser, or erases a retired share | the user, in the visible frame (`erase`) | erased, unless it changed since the user was asked |
 * | sign-out, `cleanup` | the user or the page | stays; only memory is cleared |
 * | the user changes the password | the user | sealed again |
 */
import { toBase64Url } from '@keybay/kernel/spec'
import type { KeptSet, KeptShare, Retirement } from './kept.js'

const DAY_MS = 86_400_000
/** How long the share of a retired additional set stays. */
const RETIRED_LIFETIME_MS = 30 * DAY_MS
/** The most that one look at the clock adds: a clock that jumps a month ahead costs one day. */
const MAX_COUNTED_AT_ONCE_MS = DAY_MS

/** Returns true if the share belongs to this public package (base64url of the `ShareSet`). */
export function isOfPackage({ set }: KeptShare, publicPackage: string): boolean {
  return toBase64Url(set) === publicPackage
}

export function retire(kept: KeptSet, reason: Retirement['reason'], now: number): KeptSet {
  if (kept.retired?.reason === reason) return kept
  // A signed revocation starts the time again: the user could not know of it before.
  const counted = reason === 'ended' ? kept.retired : undefined
  return { ...kept, retired: { seenAt: now, countedMs: 0, ...counted, reason } }
}

/** Returns the set with the time since the last look counted; undefined once its share may be erased. Primary sets never expire. */
export function countRetired(kept: KeptSet, now: number): KeptSet | undefined {
  const { retired } = kept
  if (!retired || kept.kind === 'primary') return kept
  const passedMs = Math.min(Math.max(now - retired.seenAt, 0), MAX_COUNTED_AT_ONCE_MS)
  const countedMs = retired.countedMs + passedMs
  if (countedMs >= RETIRED_LIFETIME_MS) return undefined
  return { ...kept, retired: { ...retired, seenAt: now, countedMs } }
}

function holdersOf(kept: KeptSet): readonly KeptSet[] {
  return [kept, ...(kept.aside ?? [])]
}
function packagesOf({ share, pending }: KeptSet): readonly string[] {
  return [share, pending?.share].flatMap(held => (held ? [toBase64Url(held.set)] : []))
}
/** Returns the public packages of every share of the set, as text to compare. */
export function heldBy(kept: KeptSet): string {
  return holdersOf(kept).flatMap(packagesOf).join()
}

/** Returns `next`, and beside it whatever of `before` has a share that `next` would drop. */
export function withNothingLost(before: KeptSet | undefined, next: KeptSet): KeptSet {
  if (!before) return next
  const known = new Set(holdersOf(next).flatMap(packagesOf))
  const lost = holdersOf(before).filter(holder => packagesOf(holder).some(name => !known.has(name)))
  if (lost.length === 0) return next
  return { ...next, aside: [...(next.aside ?? []), ...lost.map(holder => ({ ...holder, aside: undefined }))] }
}
