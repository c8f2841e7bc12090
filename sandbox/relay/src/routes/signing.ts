/** Signing code shared by all accounts. */
import type { MfaAction } from '@keybay/kernel/spec'
import { isRelay } from '../ceremonies/plan.js'
import { getPublicSet } from '../store/public-set.js'
import type { SetRow } from '../store/sets.js'

export const SIGN_ACTION: MfaAction = 'wallet.waas.sign'
/** Maximum bytes to sign. A Solana transaction has at most 1232; a message, typed data or a PSBT may be longer. */
export const MAX_BYTES = 64 * 1024

/** Returns the signing parties: the device and every relay of the set. */
export function getSigners(row: SetRow): readonly string[] {
  return getPublicSet(row).parties.filter(party => party === 'C' || isRelay(party))
}
