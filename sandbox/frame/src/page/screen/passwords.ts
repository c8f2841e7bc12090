/** Prompts for a wallet's password. The text typed here never leaves the frame. */
import { field, paragraph } from './dom.js'
import { LEAST_CHARACTERS } from './least-characters.js'
import { type About, walletLine } from './questions.js'
import type { Screen } from './screen.js'

export interface PasswordChange {
  readonly existing: string | undefined
  readonly next: string
}
export interface PasswordQuestion extends About {
  readonly hasPassword: boolean
  /** Changes the password. Throws for a wrong one; the prompt then stays open. */
  readonly change: (entered: PasswordChange) => Promise<void>
}

/** Prompts the user for a new password, entered twice, and for the current one if the wallet has one. */
export function askNewPassword(screen: Screen, { address, hasPassword, change, signal }: PasswordQuestion) {
  const existing = field('Password now', { type: 'password', autocomplete: 'current-password', required: true })
  const hint = `At least ${LEAST_CHARACTERS} characters.`
  const first = field('New password', { type: 'password', autocomplete: 'new-password', required: true }, hint)
  const second = field('The same again', { type: 'password', autocomplete: 'new-password', required: true })
  return screen.ask({
    title: hasPassword ? 'Change the wallet’s password' : 'Set a wallet password',
    content: [
      walletLine(address),
      paragraph(
        'This browser will ask for it before it uses its key share. Only you have it, and we can’t reset it. If you forget it, restore the wallet from your backup, which has its own password.',
      ),
      ...(hasPassword ? [existing.row] : []),
      first.row,
      second.row,
    ],
    action: hasPassword ? 'Change it' : 'Set it',
    guard: { address },
    signal,
    async read() {
      if (hasPassword && existing.input.value === '') throw new Error('Enter your current password.')
      if (first.input.value.length < LEAST_CHARACTERS) throw new Error(`Use at least ${LEAST_CHARACTERS} characters.`)
      if (first.input.value !== second.input.value) throw new Error('The passwords don’t match.')
      await change({ existing: hasPassword ? existing.input.value : undefined, next: first.input.value })
    },
  })
}
