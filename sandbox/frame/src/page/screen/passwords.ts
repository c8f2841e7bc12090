/** Questions about a wallet's password. What is typed here stays here. */
import { element, field } from './dom.js'
import { type About, walletLine } from './questions.js'
import type { Screen } from './screen.js'

export const LEAST_CHARACTERS = 8

export interface PasswordChange {
  readonly existing: string | undefined
  readonly next: string
}
export interface PasswordQuestion extends About {
  /** Whether the wallet has one now, which is asked for too. */
  readonly hasPassword: boolean
  /** Does it. Throws for a wrong one: the question stays. */
  readonly change: (entered: PasswordChange) => Promise<void>
}

/** A new password, entered twice; with the one before it, where there is one. */
export function askNewPassword(
  screen: Screen,
  { address, hasPassword, change, signal }: PasswordQuestion,
): Promise<void> {
  const existing = field('Password now', { type: 'password', autocomplete: 'current-password', required: true })
  const hint = `At least ${LEAST_CHARACTERS} characters.`
  const first = field('New password', { type: 'password', autocomplete: 'new-password', required: true }, hint)
  const second = field('The same again', { type: 'password', autocomplete: 'new-password', required: true })
  return screen.ask({
    title: hasPassword ? 'Change the wallet’s password' : 'Give the wallet a password',
    content: [
      walletLine(address),
      element(
        'p',
        {},
        'From then on this browser asks for it before it uses its part of the key. Nobody else has it, and nobody can give you another: if it is forgotten, restore from your backup, which has a password of its own.',
      ),
      ...(hasPassword ? [existing.row] : []),
      first.row,
      second.row,
    ],
    action: hasPassword ? 'Change it' : 'Set it',
    guard: { address },
    signal,
    async read() {
      if (hasPassword && existing.input.value === '') throw new Error('Enter the password that it has now.')
      if (first.input.value.length < LEAST_CHARACTERS) throw new Error(`Take at least ${LEAST_CHARACTERS} characters.`)
      if (first.input.value !== second.input.value) throw new Error('The two are not the same.')
      await change({ existing: hasPassword ? existing.input.value : undefined, next: first.input.value })
    },
  })
}
