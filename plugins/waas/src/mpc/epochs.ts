/**
 * The two phases of a resharing, of one party: a pending share beside the current one, until the commit or an abort. Values, not a
 * store: write what a call returns durably before acting on it. `dropped` are the shares whose secrets then go.
 */
import { equalBytes } from '@keybay/kernel/spec'
import type { Outcome } from './dkg.js'
import { epochUnexpected, fault, groupKeyChanged } from './errors.js'
import { groupKey } from './set.js'
import type { KeyShare } from './types.js'

export interface Epochs {
  /** None: a party that only comes with the pending epoch. */
  readonly current?: KeyShare | undefined
  readonly pending?: Outcome | undefined
}
/** The new state, and the shares that it no longer holds: erase them (`eraseShare`) when it is stored. */
export interface EpochChange {
  readonly epochs: Epochs
  readonly dropped: readonly KeyShare[]
}

/** A pending share that waited is replaced: its ceremony was not committed. @throws `mpc_epoch_unexpected`, `mpc_group_key_changed` */
export function proposeEpoch({ current, pending }: Epochs, next: Outcome): EpochChange {
  const { share } = next
  if (current && (current.set.setId !== share.set.setId || current.set.epoch + 1 !== share.set.epoch))
    throw fault(epochUnexpected, 'epoch', share.party)
  if (current && !equalBytes(groupKey(current.set), groupKey(share.set))) throw fault(groupKeyChanged, 'epoch')
  return { epochs: { current, pending: next }, dropped: pending ? [pending.share] : [] }
}

/**
 * The pending epoch becomes the current one.
 * @throws `mpc_epoch_unexpected` when this transcript is not pending.
 */
export function commitEpoch({ current, pending }: Epochs, transcript: Uint8Array): EpochChange {
  if (!pending || !equalBytes(pending.transcript, transcript)) throw fault(epochUnexpected, 'epoch')
  return { epochs: { current: pending.share }, dropped: current ? [current] : [] }
}

/** Nothing happened: the current epoch goes on. Safe to repeat. */
export function abortEpoch({ current, pending }: Epochs): EpochChange {
  return {
    epochs: { current },
    dropped: pending ? [pending.share] : [],
  }
}
