/** Tracks one attempt to sign in or link: the choice and its progress. The dialog shows it in every view. */
import { useSignIn } from '@keybay/account/react'
import type { Connector, KeybayError } from '@keybay/kernel'
import { useState } from 'react'

/** A sign-in method and its input. */
export interface Choice {
  readonly connector: Connector
  readonly input?: unknown
}
export interface SignInAttempt {
  readonly choice: Choice | undefined
  readonly status: 'idle' | 'pending' | 'success' | 'error'
  readonly error: KeybayError | undefined
  /** Call it in the click handler: a wallet or a passkey may open a window. */
  start(choice: Choice, onDone: () => void): void
  /** Cancels the pending attempt and clears its result. */
  reset(): void
}

export function useAttempt(): SignInAttempt {
  const [choice, setChoice] = useState<Choice>()
  const signIn = useSignIn()
  return {
    choice,
    status: signIn.status,
    error: signIn.error,
    start(next, onDone) {
      setChoice(next)
      signIn.runAsync(next.connector.id, next.input).then(onDone, () => {}) // the UI shows `error`
    },
    reset() {
      setChoice(undefined)
      signIn.reset()
    },
  }
}
