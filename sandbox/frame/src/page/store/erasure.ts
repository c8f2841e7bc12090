/** Consent of the user to erase a share. The store erases nothing on request without it. */
import { coversErasure } from '@keybay/waas/mpc/lifecycle'
import type { KeptSet } from './kept.js'

/** Symbol known only to this file, so that no other code can create a consent. */
const agreed: unique symbol = Symbol()

export interface ErasureConsent extends Pick<KeptSet, 'user' | 'setId'> {
  readonly [agreed]: true
  /** Returns true if the set is unchanged since the user was asked. */
  covers(kept: KeptSet): boolean
}

/**
 * Asks the user, and returns the consent for the shares that this set holds now.
 * @param ask rejects unless the user agreed in the visible frame
 * @throws the errors of `ask`: `consent_required`, `user_rejected`
 */
export async function confirmErasure(stored: KeptSet, ask: () => Promise<unknown>): Promise<ErasureConsent> {
  await ask()
  const { user, setId } = stored
  return { user, setId, covers: current => coversErasure(stored, current), [agreed]: true }
}
