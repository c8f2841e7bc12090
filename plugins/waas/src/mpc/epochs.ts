/** The two phases of a resharing at one party. Store a returned state durably, then erase the `dropped` shares. */
import { equalBytes } from '@keybay/kernel/spec'
import type { Outcome } from './dkg.js'
import { epochUnexpected, fault, groupKeyChanged } from './errors.js'
import { groupKey } from './set.js'
import type { KeyShare } from './types.js'

export interface Epochs {
  /** Absent for a party that joins with the pending epoch. */
  readonly current?: KeyShare | undefined
  readonly pending?: Outcome | undefined
}
/** The new state, and the shares that it no longer holds: erase them (`eraseShare`) once it is stored. */
export interface EpochChange {
  readonly epochs: Epochs
  readonly dropped: readonly KeyShare[]
}

/** Replaces a pending share: its ceremony was not committed. @throws `mpc_epoch_unexpected`, `mpc_group_key_changed` */
export function proposeEpoch({ current, pending }: Epochs, next: Outcome): EpochChange {
  const { share } = next
  if (current && (current.set.setId !== share.set.setId || current.set.epoch + 1 !== share.set.epoch))
    throw fault(epochUnexpected, 'epoch', share.party)
  if (current && !equalBytes(groupKey(current.set), groupKey(share.set))) throw fault(groupKeyChanged, 'epoch')
  return { epochs: { current, pending: next }, dropped: pending ? [pending.share] : [] }
}

/** Makes the pending epoch the current one. @throws `mpc_epoch_unexpected` if this transcript is not pending */
export function commitEpoch({ current, pending }: Epochs, transcript: Uint8Array): EpochChange {
  if (!pending || !equalBytes(pending.transcript, transcript)) throw fault(epochUnexpected, 'epoch')
  return { epochs: { current: pending.share }, dropped: current ? [current] : [] }
}

/** Drops the pending epoch and keeps the current one. Safe to repeat. */
export function abortEpoch({ current, pending }: Epochs): EpochChange {
  return { epochs: { current }, dropped: pending ? [pending.share] : [] }
}
