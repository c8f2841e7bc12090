/** Screen that asks the user for the passkey that opens a backup. */
import { KeybayError } from '@keybay/kernel/spec'
import type { PasskeyName, PasskeySecret } from '@keybay/waas/mpc'
import { paragraph } from '../screen/dom.js'
import { type About, walletLine } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import { repeatPasskey } from './passkey.js'

const WRONG: ReadonlySet<string> = new Set(['frame_passkey_prf', 'mpc_backup_unreadable'])

/** @param about its `check` throws for a wrong passkey; the prompt then stays open */
export function askForPasskey(
  screen: Screen,
  passkey: PasskeyName,
  { address, signal, check }: About & { readonly check?: ((secret: PasskeySecret) => Promise<unknown>) | undefined },
): Promise<PasskeySecret> {
  return screen.ask({
    title: 'Open the backup with your passkey',
    content: [walletLine(address), paragraph('Your device asks you to touch it, or for its lock.')],
    action: 'Use the passkey',
    signal,
    async read() {
      try {
        const secret = await repeatPasskey(passkey)
        await check?.(secret)
        return secret
      } catch (error) {
        const isWrong = error instanceof KeybayError && WRONG.has(error.code)
        throw isWrong ? new Error('This passkey does not open the backup, or the backup was changed.') : error
      }
    },
  })
}
