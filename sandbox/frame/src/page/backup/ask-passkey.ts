/** Screens that ask the user for the passkey of a backup. */
import { KeybayError } from '@keybay/kernel/spec'
import type { PasskeyName, PasskeySecret } from '@keybay/waas/mpc'
import { checkbox, paragraph } from '../screen/dom.js'
import { type About, walletLine } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import { choosePasskey, makeBackupPasskey, repeatPasskey } from './passkey.js'

const WRONG: ReadonlySet<string> = new Set(['frame_passkey_prf', 'mpc_backup_unreadable'])

/** @returns undefined if the user prefers a recovery code */
export function askBackupPasskey(screen: Screen, signal?: AbortSignal): Promise<PasskeySecret | undefined> {
  const existing = checkbox('existing', 'I have a passkey for my backups already')
  const useCode = checkbox('use-code', 'Make a recovery code for me instead')
  return screen.ask({
    title: 'Lock the backup with a passkey',
    content: [
      paragraph(
        'Only this passkey opens the backup, and we can’t replace it. Use a passkey that is on your other devices too.',
      ),
      paragraph(`It works at ${location.hostname} and nowhere else, also not without this service.`, 'note'),
      existing.row,
      useCode.row,
    ],
    action: 'Continue',
    signal,
    async read() {
      if (useCode.input.checked) return undefined
      return existing.input.checked ? choosePasskey() : makeBackupPasskey()
    },
  })
}

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
