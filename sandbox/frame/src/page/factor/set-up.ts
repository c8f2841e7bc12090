/** Offers a passkey for the wallet to a user who only has one for the page, before the question is shown. */
import { KeybayError } from '@keybay/kernel/spec'
import { passkeyUnproved } from '@keybay/waas/protocol'
import { element } from '../screen/dom.js'
import type { Screen } from '../screen/screen.js'
import type { FactorQuestion } from './client.js'
import { createPasskey } from './passkey.js'

/** Makes a passkey by that question or by its answer. @returns the enrolment's id, where it waits for the page's passkey */
export async function makePasskey(
  { newPasskey, keepPasskey }: FactorQuestion,
  by?: string,
): Promise<string | undefined> {
  const { challengeId, options } = await newPasskey(by)
  return keepPasskey(challengeId, await createPasskey(options), by)
}

/**
 * Resolves where the user would rather confirm in the page this time.
 *
 * @throws KeybayError `frame_passkey_unproved`: it was made, and waits for the page's; `user_rejected`, `aborted`
 */
export async function setUpPasskey(screen: Screen, question: FactorQuestion, signal?: AbortSignal): Promise<void> {
  const inPage = element('button', { type: 'button', class: 'quiet' }, 'Confirm on the page this time')
  const chosen = new Promise<'page'>(resolve => inPage.addEventListener('click', () => resolve('page')))
  const made = await screen.ask<'page' | { readonly enrolmentId: string | undefined }>({
    title: 'A passkey for your wallet',
    content: [
      element(
        'p',
        {},
        'Your passkey belongs to the page. Make one for this window too, and what your wallet does is confirmed here, where the page cannot change it.',
      ),
      element('p', {}, 'The page asks once for the passkey that you have.'),
      element('p', {}, inPage),
    ],
    action: 'Make a passkey',
    signal,
    until: () => chosen,
    read: async () => ({ enrolmentId: await makePasskey(question) }),
  })
  if (made !== 'page') throw new KeybayError(passkeyUnproved, { details: made })
}
