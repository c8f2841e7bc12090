/** Settles interrupted ceremonies by R1's signed records, with the rules of `@keybay/waas/mpc/lifecycle`. */
import { KeybayError, toBase64Url } from '@keybay/kernel/spec'
import { isOfPackage, onRecord, onRefusal } from '@keybay/waas/mpc/lifecycle'
import { frameError } from '../errors/errors.js'
import type { KeptSet, KeptShare } from '../store/kept.js'
import type { Frame } from './frame.js'
import type { Job } from './job.js'
import { type KnownSet, type KnownWallet, readWallet } from './views.js'

type Ids = Pick<KeptSet, 'user' | 'walletId' | 'setId'>
type Asking = Pick<Job, 'frame' | 'user' | 'authority'>

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
    const stored = await frame.store.get(user, setId)
    if (!stored) return undefined
    const seen = known && { ...known.claims, record: known.record }
    const { set, isConfirmed } = onRecord(stored, seen, frame.clock.now())
    if (set === stored && !(isFinished && stored.aside)) return stored
    if (set.share !== stored.share || set.retired) frame.signers.forget(setId)
    if (isFinished && isConfirmed && known) await frame.store.confirm(set, known.claims)
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
  for (const stored of (await frame.store.list(user)).filter(isKnown))
    await settleSet(frame, stored, sets.get(stored.setId))
}

/** Requests the wallet's records from R1, and settles this set by them. */
async function settleByRecord(job: Asking, { walletId, setId }: KeptSet) {
  const { frame, user } = job
  const wallet = await readWallet(job, walletId)
  const known = wallet.sets.find(set => set.setId === setId)
  return { wallet, known, kept: await settleSet(frame, { user, walletId, setId }, known) }
}

/** Codes after which the same request can only fail again. A relay does not sign them, so they decide nothing else. */
const FINAL =
  /^(bad_share|ceremony_\w+|device_locked|embedded_wallet_address_already_linked|epoch_mismatch|invalid_request|not_enabled|policy_mismatch|set_\w+|too_many_embedded_wallets_for_user|transcript_mismatch|wallet_(exists|not_found))$/

function getCode(error: unknown): string | undefined {
  return error instanceof KeybayError ? error.code : undefined
}

async function markEnded({ frame, user }: Asking, { walletId, setId }: KeptSet, share: KeptShare): Promise<void> {
  await frame.locks.changing(walletId, async () => {
    const stored = await frame.store.get(user, setId)
    const ended = stored && onRefusal(stored, share, frame.clock.now())
    if (ended && ended !== stored) await frame.store.put(ended)
  })
}

/**
 * Requests the signed record after the relay refused to commit a share, because the share may already be committed. If
 * the record is unavailable, nothing changes and the same request may be retried.
 * @param share the share to commit
 * @returns the wallet, if its record names that share
 * @throws KeybayError `frame_share_replaced` if the record names other shares; otherwise the relay's error
 */
export async function committedAfterAll(job: Asking, stored: KeptSet, share: KeptShare, refusal: unknown) {
  if (!FINAL.test(getCode(refusal) ?? '')) throw refusal
  const state = await settleByRecord(job, stored).catch((failure: unknown) => {
    if (getCode(failure) !== 'wallet_not_found') throw refusal
    return undefined
  })
  const pub = state?.known?.claims.pub
  if (state?.known?.status === 'active' && pub !== undefined && isOfPackage(share, pub)) return state.wallet
  await markEnded(job, stored, share)
  const isReplaced = state?.known !== undefined && state.known.epoch >= share.epoch
  throw isReplaced ? frameError('frame_share_replaced', { cause: refusal }) : refusal
}

/**
 * Runs `act` with the active share. If the relay has another epoch, the record decides which kept share is active.
 * @throws KeybayError `frame_share_replaced` if the record names none of them
 */
export async function byCurrentShare<T>(job: Asking, stored: KeptSet, act: (kept: KeptSet) => Promise<T>): Promise<T> {
  try {
    return await act(stored)
  } catch (error) {
    const hasOthers = stored.pending !== undefined || stored.aside !== undefined
    if (getCode(error) !== 'epoch_mismatch' || !hasOthers) throw error
    const { kept: now } = await settleByRecord(job, stored).catch(() => {
      throw error
    })
    if (!now || now.retired) throw error
    if (isOfPackage(now.share, toBase64Url(stored.share.set)))
      throw frameError('frame_share_replaced', { cause: error })
    return act(now)
  }
}
