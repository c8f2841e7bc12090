/** One attempt to sign in or link: the choice and its progress. The dialog shows it in every view. */
import type { Connector, KeybayError } from '@keybay/kernel'
import type { Action } from '@keybay/react'
import { useState } from 'react'
import { useSignIn } from '../react/sign-in.js'

export interface Choice {
  readonly connector: Connector
  readonly input?: unknown
}

export interface SignInAttempt {
  readonly choice: Choice | undefined
  readonly status: Action<readonly unknown[], unknown>['status']
  readonly error: KeybayError | undefined
  /** Call it in the click handler: a wallet or a passkey may open a window. */
  start(next: Choice, onDone: () => void): void
  /** Cancels the pending attempt and clears its result. */
  reset(): void
}

export function useAttempt(): SignInAttempt {
  const [choice, setChoice] = useState<Choice>()
  const { status, error, runAsync, reset } = useSignIn()
  return {
    choice,
    status,
    error,
    start(next: Choice, onDone: () => void) {
      setChoice(next)
      runAsync(next.connector.id, next.input).then(onDone, () => {}) // the UI shows `error`
    },
    reset() {
      setChoice(undefined)
      reset()
    },
  }
}
