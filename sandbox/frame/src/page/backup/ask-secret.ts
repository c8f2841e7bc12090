/** Screens for the secret of a backup: a password chosen by the user, or a recovery code made here and shown once. */
import { groupField } from '../screen/code.js'
import { checkbox, element, field, paragraph } from '../screen/dom.js'
import { LEAST_CHARACTERS } from '../screen/least-characters.js'
import type { Screen } from '../screen/screen.js'
import { newRecoveryCode } from './recovery-code.js'

/** @returns the password or the code */
export async function askBackupSecret(screen: Screen, signal?: AbortSignal): Promise<string> {
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
  return password ?? giveRecoveryCode(screen, signal)
}

/** Makes a recovery code, shows it once, and has the user type a part of it to prove that they saved it. */
export async function giveRecoveryCode(screen: Screen, signal?: AbortSignal): Promise<string> {
  const code = newRecoveryCode()
  for (;;) {
    await showRecoveryCode(screen, code, signal)
    if (await confirmRecoveryCode(screen, code, signal)) return code
  }
}

function showRecoveryCode(screen: Screen, code: string, signal?: AbortSignal): Promise<void> {
  const savedCheckbox = checkbox('kept', 'I have saved it')
  return screen.ask({
    title: 'Your recovery code',
    content: [
      paragraph('Write it down or save it in a password manager. It is shown this once.'),
      element('pre', { class: 'code', tabindex: '0' }, code),
      savedCheckbox.row,
    ],
    action: 'Continue',
    signal,
    read() {
      if (!savedCheckbox.input.checked) throw new Error('Save the code first.')
    },
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
