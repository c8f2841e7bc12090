/** The user's agreement to erase a share: the store erases nothing on request without one. */
import type { KeptSet } from './kept.js'
import { heldBy } from './retention.js'

/** Known to this file alone, so nothing else can make a consent. */
const agreed: unique symbol = Symbol()

export interface ErasureConsent extends Pick<KeptSet, 'user' | 'setId'> {
  readonly [agreed]: true
  /** Returns true for the set as it was when the user was asked. */
  covers(kept: KeptSet): boolean
}

/**
 * Asks the user, and returns the consent for the shares that this set holds now.
 *
 * @param ask rejects unless the user agreed in the visible frame
 * @throws what `ask` throws: `consent_required`, `user_rejected`
 */
export async function confirmErasure(asked: KeptSet, ask: () => Promise<unknown>): Promise<ErasureConsent> {
  await ask()
  const { user, setId, retired } = asked
  // A share that no longer signed when the user was asked may be in force again.
  const covers = (kept: KeptSet) => heldBy(kept) === heldBy(asked) && (!retired || kept.retired !== undefined)
  return { user, setId, covers, [agreed]: true }
}
