/** The user's agreement to erase a share: the store erases nothing on request without one. */
import type { KeptSet } from './kept.js'

/** Known to this file alone, so nothing else can make a consent. */
const agreed: unique symbol = Symbol()

export interface ErasureConsent extends Pick<KeptSet, 'user' | 'setId'> {
  readonly [agreed]: true
}

/**
 * Asks the user, and returns the consent for that one set.
 *
 * @param ask rejects unless the user agreed in the visible frame
 * @throws what `ask` throws: `consent_required`, `user_rejected`
 */
export async function confirmErasure(
  { user, setId }: Pick<KeptSet, 'user' | 'setId'>,
  ask: () => Promise<unknown>,
): Promise<ErasureConsent> {
  await ask()
  return { user, setId, [agreed]: true }
}
