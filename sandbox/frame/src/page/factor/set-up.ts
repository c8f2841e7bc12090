/** Offers a passkey for the wallet to a user who only has one for the page, before the consent is shown. */
import { KeybayError } from '@keybay/kernel/spec'
import { passkeyUnproved } from '@keybay/waas/protocol'
import { element, paragraph } from '../screen/dom.js'
import type { Screen } from '../screen/screen.js'
import type { FactorQuestion } from './client.js'
import { createPasskey } from './passkey.js'

/**
 * Creates a passkey, authorized by the open question or by an earlier enrolment ID.
 * @returns the enrolment's ID, if it waits for the page's passkey
 */
export async function makePasskey({ newPasskey, keepPasskey }: FactorQuestion, by?: string) {
  const { challengeId, options } = await newPasskey(by)
  return keepPasskey(challengeId, await createPasskey(options), by)
}

/**
 * Offers a new passkey. Resolves if the user prefers to confirm in the page this time.
 * @throws KeybayError `frame_passkey_unproved` if the passkey was created and waits for the page's; `user_rejected`,
 *   `aborted`
 */
export async function setUpPasskey(screen: Screen, question: FactorQuestion, signal?: AbortSignal): Promise<void> {
  const inPage = element('button', { type: 'button', class: 'quiet' }, 'Confirm on the page this time')
  const chosen = new Promise<'page'>(resolve => inPage.addEventListener('click', () => resolve('page')))
  const made = await screen.ask<'page' | { readonly enrolmentId: string | undefined }>({
    title: 'A passkey for your wallet',
    content: [
      paragraph(
        'Your passkey belongs to the page. Make one for this window too, and what your wallet does is confirmed here, where the page cannot change it.',
      ),
      paragraph('The page asks once for the passkey that you have.'),
      element('p', {}, inPage),
    ],
    action: 'Make a passkey',
    signal,
    until: () => chosen,
    read: async () => ({ enrolmentId: await makePasskey(question) }),
  })
  if (made !== 'page') throw new KeybayError(passkeyUnproved, { details: made })
}
