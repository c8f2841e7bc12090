/**
 * Ends what was interrupted, by R1's signed record, which alone decides: a creation whose answer was lost is there or is
 * not; a resharing was committed or was not; a set that was revoked is erased.
 */
import { KeybayError } from '@keybay/kernel'
import { toBase64Url } from '../bytes.js'
import type { Frame } from '../frame.js'
import type { KeptSet } from '../store/kept.js'
import type { Job } from './job.js'
import type { KnownSet, KnownWallet } from './views.js'

/** The set after its pending epoch was committed. */
export const afterCommit = (kept: KeptSet, record: string): KeptSet => {
  const { pending, envelope: _, ...rest } = kept
  if (!pending) return { ...kept, record }
  const { share, scheme, backup, envelope } = pending
  return { ...rest, share, scheme, record, backups: backup ? [backup] : [], ...(!backup && envelope && { envelope }) }
}

/** The epoch that a relay says it has, where ours is another. */
const otherEpoch = (error: unknown): number | undefined => {
  if (!(error instanceof KeybayError) || error.code !== 'epoch_mismatch') return undefined
  const epoch: unknown = Reflect.get(Object(error.details), 'epoch')
  return typeof epoch === 'number' ? epoch : undefined
}

/**
 * Does something by the share as it is kept. Where the relay has committed the pending one, and its answer was lost, it is done
 * by that one, which counts from then on.
 */
export const byCurrentShare = async <T>(
  { frame, user }: Pick<Job, 'frame' | 'user'>,
  kept: KeptSet,
  act: (kept: KeptSet) => Promise<T>,
): Promise<T> => {
  try {
    return await act(kept)
  } catch (error) {
    const { pending } = kept
    if (!pending || otherEpoch(error) !== pending.share.epoch) throw error
    const done = await act({ ...kept, share: pending.share })
    await frame.locks.changing(kept.walletId, async () => {
      const current = await frame.store.get(user, kept.setId)
      if (current?.pending?.ceremonyId === pending.ceremonyId)
        await frame.store.put(afterCommit(current, current.record ?? ''))
    })
    return done
  }
}

/** What the set is now; undefined when it is gone. */
const settled = (kept: KeptSet, known: KnownSet | undefined, now: number): KeptSet | undefined => {
  const isOver = kept.creation !== undefined && kept.creation.expiresAt <= now
  if (!known) return isOver ? undefined : kept
  if (known.status === 'revoked') return undefined
  // What was read before this browser went on; or a replacement of the device that was not committed.
  if (known.epoch < kept.share.epoch) return isOver ? undefined : kept
  // Another ceremony made this epoch: ours was not committed, and never will be.
  if (kept.creation && known.claims.pub !== toBase64Url(kept.share.set)) return undefined
  const { creation, envelope, ...made } = kept
  const isBackedUp = creation && made.backups.length > 0
  const current = { ...made, ...(envelope && !isBackedUp && { envelope }), record: known.record }
  if (kept.pending && known.epoch === kept.pending.share.epoch) return afterCommit(current, known.record)
  if (kept.pending && kept.pending.expiresAt <= now) {
    const { pending: __, ...rest } = current
    return rest
  }
  return current
}

/** @param wallets all of the person that `isKnown` is true of, with verified records */
export const settle = async (
  frame: Frame,
  user: string,
  wallets: readonly KnownWallet[],
  isKnown: (set: KeptSet) => boolean,
): Promise<void> => {
  const sets = new Map(wallets.flatMap(wallet => wallet.sets.map(set => [set.setId, set])))
  for (const { setId, walletId } of (await frame.store.list(user)).filter(isKnown))
    await frame.locks.changing(walletId, async () => {
      const kept = await frame.store.get(user, setId)
      if (!kept) return
      const now = settled(kept, sets.get(setId), frame.clock.now())
      if (now === undefined) {
        frame.signers.forget(setId)
        await frame.store.remove(user, setId)
      } else if (
        now.record !== kept.record ||
        now.share !== kept.share ||
        now.creation !== kept.creation ||
        now.pending !== kept.pending
      )
        await frame.store.put(now)
    })
}
