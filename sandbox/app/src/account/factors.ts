import type { KeybayError } from '@keybay/kernel'
import type { MfaMethod } from '@keybay/kernel/spec'
import { useAction } from '@keybay/react'
import type { GlyphName } from '../design/index.js'

export const factors: { readonly [M in MfaMethod]: { readonly name: string; readonly icon: GlyphName } } = {
  totp: { name: 'Authenticator app', icon: 'device' },
  passkey: { name: 'Passkey', icon: 'key' },
  email: { name: 'Code by email', icon: 'mail' },
}

interface Submit<Input> {
  readonly busy: boolean
  readonly error: KeybayError | undefined
  submit(input: Input): void
}

/** @param answer takes what a right attempt resolved to */
export function useSubmit<Input, Output>(
  perform: (input: Input) => Promise<Output>,
  answer: (output: Output) => void,
): Submit<Input> {
  const { status, error, runAsync } = useAction((_signal, input: Input) => perform(input))
  const busy = status === 'pending'
  const submit = (input: Input) => {
    if (!busy) runAsync(input).then(answer, () => {}) // the UI shows `error`
  }
  return { busy, error, submit }
}
