/**
 * Settles interrupted ceremonies only by R1's signed record, which counts for a share only if it names the share's
 * public package. Only the run that made the new backup erases the replaced shares; see `store/retention.ts`.
 */
import { KeybayError, toBase64Url } from '@keybay/kernel/spec'
import { oneWallet, type RecordClaims } from '@keybay/waas/relay-client'
import { frameError } from '../errors/errors.js'
import type { KeptSet, KeptShare, PendingCeremony } from '../store/kept.js'
import { isOfPackage, retire } from '../store/retention.js'
import type { Frame } from './frame.js'
import type { Job } from './job.js'
import { type KnownSet, type KnownWallet, verifyWallet } from './views.js'

type Ids = Pick<KeptSet, 'user' | 'walletId' | 'setId'>
type Asking = Pick<Job, 'frame' | 'user' | 'authority'>

/** Settled set, and whether the record confirms its share. */
interface Settled {
  readonly set: KeptSet
  readonly confirmedBy?: RecordClaims
}

const NOTHING_PENDING = { pending: undefined, creation: undefined, delivered: undefined, retired: undefined } as const

function afterCommit(kept: KeptSet, { share, scheme, backup, envelope }: PendingCeremony, record: string): KeptSet {
  const backups = backup ? [backup] : []
  return { ...kept, ...NOTHING_PENDING, share, scheme, record, backups, envelope: backup ? undefined : envelope }
}

/** Returns the set after its creation was committed. Drops the envelope if a provider has it. */
function afterCreation(kept: KeptSet, record: string): KeptSet {
  const envelope = kept.backups.length > 0 ? undefined : kept.envelope
  return { ...kept, ...NOTHING_PENDING, record, envelope }
}

function withRecord(kept: KeptSet, record: string): KeptSet {
  return kept.record === record ? kept : { ...kept, record }
}

function holds({ share, pending }: KeptSet, publicPackage: string): boolean {
  return isOfPackage(share, publicPackage) || (pending !== undefined && isOfPackage(pending.share, publicPackage))
}

function byActiveRecord(kept: KeptSet, known: KnownSet, now: number): Settled {
  const { claims, record, epoch } = known
  const { share, pending, aside = [], creation, retired, kind } = kept
  if (isOfPackage(share, claims.pub)) {
    // An additional set that was revoked stays revoked, even if the relay's database was restored.
    if (retired?.reason === 'revoked' && kind !== 'primary') return { set: kept }
    if (creation) return { set: afterCreation(kept, record), confirmedBy: claims }
    return { set: withRecord(retired ? { ...kept, retired: undefined } : kept, record), confirmedBy: claims }
  }
  if (pending && isOfPackage(pending.share, claims.pub))
    return { set: afterCommit(kept, pending, record), confirmedBy: claims }
  const before = aside.find(set => holds(set, claims.pub))
  // Storing this set keeps the replaced share aside.
  if (before) return { set: byActiveRecord(before, known, now).set }
  // Another share is active. A record older than our share decides nothing.
  if (epoch < share.epoch) return { set: kept }
  if (creation) return { set: retire(kept, 'ended', now) }
  return { set: epoch > share.epoch ? withRecord(kept, record) : kept }
}

/** @param known the relay's entry for this set; undefined if the relay lists none */
function decide(kept: KeptSet, known: KnownSet | undefined, now: number): Settled {
  const isOurs = known?.claims.wallet === kept.walletId && known.claims.address === kept.address
  if (!known || !isOurs) {
    const isOver = kept.creation !== undefined && kept.creation.expiresAt <= now
    return { set: isOver ? retire(kept, 'ended', now) : kept }
  }
  if (known.status === 'revoked') return { set: withRecord(retire(kept, 'revoked', now), known.record) }
  return byActiveRecord(kept, known, now)
}

/**
 * Applies the relay's entry to one kept set.
 * @param isFinished true at the end of the run that made the new backup, which erases older shares of the set. A list
 *   only keeps them aside, because R1 may commit a ceremony that the user abandoned together with its backup
 * @returns the set as it is now stored
 */
export function settleSet(
  frame: Frame,
  { user, walletId, setId }: Ids,
  known: KnownSet | undefined,
  isFinished = false,
): Promise<KeptSet | undefined> {
  return frame.locks.changing(walletId, async () => {
    const kept = await frame.store.get(user, setId)
    if (!kept) return undefined
    const { set, confirmedBy } = decide(kept, known, frame.clock.now())
    if (set === kept && !(isFinished && kept.aside)) return kept
    if (set.share !== kept.share || set.retired) frame.signers.forget(setId)
    if (isFinished && confirmedBy) await frame.store.confirm(set, confirmedBy)
    else await frame.store.put(set)
    return set
  })
}

/** @param wallets the user's wallets for which `isKnown` is true, with verified records */
export async function settle(
  frame: Frame,
  user: string,
  wallets: readonly KnownWallet[],
  isKnown: (set: KeptSet) => boolean,
): Promise<void> {
  await frame.store.sweep(user, frame.clock.now())
  const sets = new Map(wallets.flatMap(wallet => wallet.sets.map(set => [set.setId, set])))
  for (const kept of (await frame.store.list(user)).filter(isKnown)) await settleSet(frame, kept, sets.get(kept.setId))
}

/** Requests the wallet's records from R1, and settles this set by them. */
async function settleByRecord({ frame, user, authority }: Asking, { walletId, setId }: KeptSet) {
  const path = `/wallets/${walletId}/state`
  const answer = await frame.relay.post({ path, body: {}, answer: oneWallet, authority })
  const wallet = await verifyWallet(frame, user, answer.wallet)
  const known = wallet.sets.find(set => set.setId === setId)
  return { wallet, known, kept: await settleSet(frame, { user, walletId, setId }, known) }
}

/** Codes after which the same request can only fail again. A relay does not sign them, so they decide nothing else. */
const FINAL =
  /^(bad_share|ceremony_\w+|device_locked|embedded_wallet_address_already_linked|epoch_mismatch|invalid_request|not_enabled|set_\w+|too_many_embedded_wallets_for_user|transcript_mismatch|wallet_(exists|not_found))$/

function getCode(error: unknown): string | undefined {
  return error instanceof KeybayError ? error.code : undefined
}

/** Marks the share that waits for its commit as ended, so that the next attempt deals again. The share stays. */
async function markEnded({ frame, user }: Asking, { walletId, setId }: KeptSet, share: KeptShare): Promise<void> {
  await frame.locks.changing(walletId, async () => {
    const kept = await frame.store.get(user, setId)
    if (!kept) return
    const { pending, creation } = kept
    const isShare = (other: KeptShare | undefined) => other && isOfPackage(other, toBase64Url(share.set))
    if (pending && isShare(pending.share)) await frame.store.put({ ...kept, pending: { ...pending, ended: true } })
    else if (creation && isShare(kept.share)) await frame.store.put(retire(kept, 'ended', frame.clock.now()))
  })
}

/**
 * Requests the signed record after the relay refused to commit a share, because the share may already be committed. If
 * the record is unavailable, nothing changes and the same request may be retried.
 * @param share the share to commit
 * @returns the wallet, if its record names that share
 * @throws KeybayError `frame_share_replaced` if the record names other shares; otherwise the relay's error
 */
export async function committedAfterAll(job: Asking, kept: KeptSet, share: KeptShare, refusal: unknown) {
  if (!FINAL.test(getCode(refusal) ?? '')) throw refusal
  const state = await settleByRecord(job, kept).catch((failure: unknown) => {
    if (getCode(failure) !== 'wallet_not_found') throw refusal
    return undefined
  })
  const pub = state?.known?.claims.pub
  if (state?.known?.status === 'active' && pub !== undefined && isOfPackage(share, pub)) return state.wallet
  await markEnded(job, kept, share)
  const isReplaced = state?.known !== undefined && state.known.epoch >= share.epoch
  throw isReplaced ? frameError('frame_share_replaced', { cause: refusal }) : refusal
}

/**
 * Runs `act` with the active share. If the relay has another epoch, the record decides which kept share is active.
 * @throws KeybayError `frame_share_replaced` if the record names none of them
 */
export async function byCurrentShare<T>(job: Asking, kept: KeptSet, act: (kept: KeptSet) => Promise<T>): Promise<T> {
  try {
    return await act(kept)
  } catch (error) {
    const hasOthers = kept.pending !== undefined || kept.aside !== undefined
    if (getCode(error) !== 'epoch_mismatch' || !hasOthers) throw error
    const { kept: now } = await settleByRecord(job, kept).catch(() => {
      throw error
    })
    if (!now || now.retired) throw error
    if (isOfPackage(now.share, toBase64Url(kept.share.set))) throw frameError('frame_share_replaced', { cause: error })
    return act(now)
  }
}
