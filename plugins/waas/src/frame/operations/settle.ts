/**
 * Ends what was interrupted, by R1's signed record, which alone decides: a creation whose answer was lost is there or is
 * not; a resharing was committed or was not; a set that was revoked is erased.
 */
import { toBase64Url } from '../bytes.js'
import type { Frame } from '../frame.js'
import type { KeptSet } from '../store/kept.js'
import type { KnownSet, KnownWallet } from './views.js'

/** The set after its pending epoch was committed. */
export const afterCommit = (kept: KeptSet, record: string): KeptSet => {
  const { pending, envelope: _, ...rest } = kept
  if (!pending) return { ...kept, record }
  const { share, scheme, backup, envelope } = pending
  return { ...rest, share, scheme, record, backups: backup ? [backup] : [], ...(!backup && envelope && { envelope }) }
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
  const { creation: _, ...made } = kept
  const current = { ...made, record: known.record }
  if (kept.pending && known.epoch === kept.pending.share.epoch) return afterCommit(current, known.record)
  if (kept.pending && kept.pending.expiresAt <= now) {
    const { pending: __, ...rest } = current
    return rest
  }
  return current
}

/** @param wallets all of the person, with verified records */
export const settle = async (frame: Frame, user: string, wallets: readonly KnownWallet[]): Promise<void> => {
  const sets = new Map(wallets.flatMap(wallet => wallet.sets.map(set => [set.setId, set])))
  for (const { setId, walletId } of await frame.store.list(user))
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
