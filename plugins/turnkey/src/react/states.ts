import type { KeybayEvents } from '@keybay/kernel'
import type { WalletCredential } from '@keybay/kernel/spec'
import { type Action, useAction } from '@keybay/react'
import { useEffect, useState } from 'react'
import type { BeginRecoveryOptions, CompleteRecoveryOptions, RecoveryState, SessionState } from '../api.js'
import { useInstance } from './instance.js'

/** Returns the payload of the last event; before the first, the current state. @param read stable */
function useLatest<N extends 'turnkey:session' | 'turnkey:recovery'>(name: N, read: () => Promise<KeybayEvents[N]>) {
  const { on } = useInstance()
  const [state, show] = useState<KeybayEvents[N]>()
  useEffect(() => {
    let current = true
    const off = on(name, next => {
      current = false
      show(next)
    })
    read().then(
      now => {
        if (current) show(now)
      },
      () => {}, // Loading failed; the next call reports why.
    )
    return () => {
      current = false
      off()
    }
  }, [on, name, read])
  return state
}

export interface UseTurnkeySession {
  /** Undefined until loaded. */
  readonly state: SessionState | undefined
  /** Deletes the key; the next signature needs the passkey. */
  readonly end: Action<[], void>
}
/** Returns the session key's state (S4.1). @example const { state, end } = useTurnkeySession() */
export function useTurnkeySession(): UseTurnkeySession {
  const { turnkey } = useInstance()
  return { state: useLatest('turnkey:session', turnkey.session), end: useAction(() => turnkey.endSession()) }
}

export interface UseTurnkeyRecovery {
  /** Undefined until loaded. */
  readonly state: RecoveryState | undefined
  /** Emails a code that only this page can open. */
  readonly begin: Action<[options?: BeginRecoveryOptions], RecoveryState>
  /** Run it in a click: the browser prompts for a new passkey. */
  readonly complete: Action<[options: Omit<CompleteRecoveryOptions, 'recoveryUserId'>], readonly WalletCredential[]>
}
/**
 * Recovers the wallet by email (S4.2).
 * @example
 * const { state, begin, complete } = useTurnkeyRecovery()
 * return state?.status === 'active' ? <CodeForm onCode={code => complete.run({ code, email })} /> : <button onClick={()
 * => begin.run()}>Send a code</button>
 */
export function useTurnkeyRecovery(): UseTurnkeyRecovery {
  const { turnkey } = useInstance()
  const state = useLatest('turnkey:recovery', turnkey.recovery)
  const recoveryUserId = state?.recoveryUserId ?? ''
  return {
    state,
    begin: useAction((_signal: AbortSignal, options?: BeginRecoveryOptions) => turnkey.beginRecovery(options)),
    complete: useAction((_signal: AbortSignal, options: Omit<CompleteRecoveryOptions, 'recoveryUserId'>) =>
      turnkey.completeRecovery({ ...options, recoveryUserId }),
    ),
  }
}
