/** The user's agreement to erase a share: the store erases nothing on request without one. */
import type { KeptSet } from './kept.js'

/** Made by `confirmErasure` alone. The private field keeps objects of the same shape out. */
class Erasure {
  readonly #agreed = true
  readonly user: string
  readonly setId: string

  constructor({ user, setId }: Pick<KeptSet, 'user' | 'setId'>) {
    this.user = user
    this.setId = setId
  }
  get agreed(): boolean {
    return this.#agreed
  }
}
export type ErasureConsent = Erasure

/**
 * Asks the user, and returns the consent for that one set.
 *
 * @param ask rejects unless the user agreed in the visible frame
 * @throws what `ask` throws: `consent_required`, `user_rejected`
 */
export async function confirmErasure(
  set: Pick<KeptSet, 'user' | 'setId'>,
  ask: () => Promise<unknown>,
): Promise<ErasureConsent> {
  await ask()
  return new Erasure(set)
}
