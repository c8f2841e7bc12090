/** One attempt to sign in, or to link: what was chosen, and how it goes. The dialog shows it, whatever view it is in. */
import { useSignIn } from '@keybay/account/react'
import type { Connector, KeybayError } from '@keybay/kernel'
import { useState } from 'react'

/** A way in, and what it was given. */
export interface Choice {
  readonly connector: Connector
  readonly input?: unknown
}
export interface SignInAttempt {
  readonly choice: Choice | undefined
  readonly status: 'idle' | 'pending' | 'success' | 'error'
  readonly error: KeybayError | undefined
  /** Call it in the click: a wallet or a passkey may open a window. */
  start(choice: Choice, onDone: () => void): void
  /** Cancels what is under way, and forgets how it ended. */
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
      signIn.runAsync(next.connector.id, next.input).then(onDone, () => {}) // `error` says it
    },
    reset() {
      setChoice(undefined)
      signIn.reset()
    },
  }
}
