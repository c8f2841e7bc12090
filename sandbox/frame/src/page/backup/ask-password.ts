/** Prompts the user for the secret that opens a share or a backup. */
import { field } from '../screen/dom.js'
import { type About, walletLine } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import { looksLikeCode, readRecoveryCode, unlockText } from './recovery-code.js'

/**
 * Prompts the user for the password of a share or a backup.
 * @param about its `check` throws for a wrong password; the prompt then stays open
 */
export function askPassword(
  screen: Screen,
  { address, signal, check }: About & { readonly check?: ((password: string) => Promise<unknown>) | undefined },
): Promise<string> {
  const { row, input } = field('Password or recovery code', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  })
  return screen.ask({
    title: 'Enter your password',
    content: [walletLine(address), row],
    action: 'Continue',
    signal,
    async read() {
      if (input.value === '') throw new Error('Enter the password.')
      const entered = unlockText(input.value)
      if (looksLikeCode(entered) && readRecoveryCode(entered) === undefined)
        throw new Error('This recovery code has a typo. Compare it with what you wrote down.')
      await check?.(entered)
      return entered
    },
  })
}
