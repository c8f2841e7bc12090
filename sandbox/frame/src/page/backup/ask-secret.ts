/** Screens for the secret of a new backup: a passkey, a password, or a recovery code made here and shown once. */
import { KeybayError } from '@keybay/kernel/spec'
import type { BackupSecret, PasskeySecret } from '@keybay/waas/mpc'
import type { BackupTarget } from '@keybay/waas/protocol'
import { groupField } from '../screen/code.js'
import { copyButton } from '../screen/copy-button.js'
import { checkbox, element, field, paragraph } from '../screen/dom.js'
import { LEAST_CHARACTERS } from '../screen/least-characters.js'
import type { Screen } from '../screen/screen.js'
import { canLockWithPasskey, choosePasskey, makeBackupPasskey } from './new-passkey.js'
import { newRecoveryCode } from './recovery-code.js'

/**
 * Asks the user for the secret that seals a new backup. The place may require a recovery code or a passkey.
 * @param target undefined for an envelope that the caller keeps
 */
export async function askNewSecret(
  screen: Screen,
  target: BackupTarget | undefined,
  signal?: AbortSignal,
): Promise<BackupSecret> {
  if (target?.provider !== 'dynamic') return askPasswordOrCode(screen, signal)
  const answer = target.passkey && (await canLockWithPasskey()) ? await askBackupPasskey(screen, signal) : ''
  return typeof answer === 'string' ? giveRecoveryCode(screen, answer, signal) : answer
}

/** @returns what to say before a recovery code, if the passkey cannot lock a backup or the user prefers a code */
function askBackupPasskey(screen: Screen, signal?: AbortSignal): Promise<PasskeySecret | string> {
  const existing = checkbox('existing', 'I have a passkey for my backups already')
  const useCode = checkbox('use-code', 'Make a recovery code for me instead')
  return screen.ask({
    title: 'Back up with a passkey',
    content: [
      paragraph('Your passkey brings this wallet back on your other devices. We can’t open the backup without it.'),
      paragraph(`It works at ${location.hostname} and nowhere else, also not without this service.`, 'note'),
      element('details', {}, element('summary', {}, 'Other ways'), existing.row, useCode.row),
    ],
    action: 'Back up',
    signal,
    async read() {
      if (useCode.input.checked) return ''
      try {
        return await (existing.input.checked ? choosePasskey() : makeBackupPasskey())
      } catch (error) {
        if (error instanceof KeybayError && error.code === 'frame_passkey_prf') return error.message
        throw error
      }
    },
  })
}

/** @returns the password or the code */
async function askPasswordOrCode(screen: Screen, signal?: AbortSignal): Promise<string> {
  const first = field(
    'Password',
    { type: 'password', autocomplete: 'new-password' },
    `At least ${LEAST_CHARACTERS} characters.`,
  )
  const second = field('The same again', { type: 'password', autocomplete: 'new-password' })
  const useCode = checkbox('use-code', 'Make a recovery code for me instead')
  useCode.input.addEventListener('change', () => {
    for (const { input } of [first, second]) input.disabled = useCode.input.checked
  })
  const password = await screen.ask({
    title: 'Protect the backup',
    content: [
      paragraph(
        'Your backup holds one share of the key, encrypted on this device. Without the password we can’t open it, and we can’t reset the password.',
      ),
      first.row,
      second.row,
      useCode.row,
    ],
    action: 'Continue',
    signal,
    read() {
      if (useCode.input.checked) return undefined
      if (first.input.value.length < LEAST_CHARACTERS) throw new Error(`Use at least ${LEAST_CHARACTERS} characters.`)
      if (first.input.value !== second.input.value) throw new Error('The passwords don’t match.')
      return first.input.value
    },
  })
  return password ?? giveRecoveryCode(screen, '', signal)
}

/** Makes a recovery code, shows it once, and has the user type a part of it to prove that they saved it. */
async function giveRecoveryCode(screen: Screen, note: string, signal?: AbortSignal): Promise<string> {
  const code = newRecoveryCode()
  for (;;) {
    await showRecoveryCode(screen, code, note, signal)
    if (await confirmRecoveryCode(screen, code, signal)) return code
  }
}

function showRecoveryCode(screen: Screen, code: string, note: string, signal?: AbortSignal): Promise<void> {
  const copy = copyButton('Copy', () => code)
  return screen.ask({
    title: 'Your recovery code',
    content: [
      note === '' ? undefined : paragraph(note, 'note'),
      paragraph('Write it down or save it in a password manager. It is shown this once.'),
      element('pre', { class: 'code', tabindex: '0' }, code),
      element('p', {}, copy.button),
      copy.note,
    ],
    action: 'Continue',
    signal,
    read: () => undefined,
  })
}

/** @returns false if the user wants to see the code again */
function confirmRecoveryCode(screen: Screen, code: string, signal?: AbortSignal): Promise<boolean> {
  const groups = code.split('-')
  // Never request the first group, which a user remembers after a glance.
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
  const groupIndex = 1 + (random % (groups.length - 1))
  const { row, read: readGroup } = groupField(
    `Group ${groupIndex + 1} of your recovery code`,
    'Four letters and digits.',
  )
  const again = checkbox('show-again', 'Show me the code once more')
  return screen.ask({
    title: 'Is it saved?',
    content: [paragraph('Enter this part of it from where you keep it.'), row, again.row],
    action: 'Continue',
    signal,
    read() {
      if (again.input.checked) return false
      if (readGroup() !== groups[groupIndex]) throw new Error('That doesn’t match. Check the code again.')
      return true
    },
  })
}
