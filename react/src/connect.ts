import type { Attempt, Connection, KeybayError, Registered, SessionState } from '@keybay/kernel'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { type Action, useAction } from './action.js'
import { useCore } from './context.js'

type Ids = Registered extends { readonly connectors: { get(id: infer Id): unknown } } ? Id & string : string

export interface Connect {
  /** `redirecting`: the person is on another page; the answer continues here, even after a full reload. */
  readonly status: 'idle' | 'pending' | 'redirecting' | 'success' | 'error'
  readonly connectorId: string | undefined
  /** The connection of a wallet, or the session of a login. */
  readonly data: Connection | SessionState | undefined
  readonly error: KeybayError | undefined
  /** Starts inside the click. Never rejects: read `status` and `error`. */
  run(id: Ids, input?: unknown): void
  /** @throws KeybayError */
  runAsync(id: Ids, input?: unknown): Promise<Connection | SessionState>
  /** Cancels what is under way and goes back to `idle`. */
  reset(): void
}
const STATUS = { connecting: 'pending', redirecting: 'redirecting', succeeded: 'success', failed: 'error' } as const
const none = (): undefined => undefined

/**
 * Connects a wallet or signs in. Its state is the kernel's own, so a reload or a redirect loses nothing.
 *
 * @param id follow this connector only; by default the one that was tried last
 * @example const connect = useConnect(); <button onClick={() => connect.run('wallet-standard:phantom')}>Connect</button>
 */
export const useConnect = (id?: Ids): Connect => {
  const { attempts, connect } = useCore()
  const read = (): Attempt | undefined => {
    const connects = attempts.list().filter(one => one.method === 'connect' && (!id || one.connectorId === id))
    return connects.at(-1)
  }
  const attempt = useSyncExternalStore(attempts.subscribe, read, none)
  const [refused, setRefused] = useState<KeybayError>()
  const runAsync = useCallback(
    (connectorId: Ids, input?: unknown) => {
      setRefused(undefined)
      // What never became an attempt (unknown, not installed) is shown too.
      return connect(connectorId, input).catch(error => {
        if (!attempts.get(connectorId)) setRefused(error)
        throw error
      })
    },
    [attempts, connect],
  )
  return useMemo(
    () => ({
      status: refused ? 'error' : attempt ? STATUS[attempt.status] : 'idle',
      connectorId: refused?.connectorId ?? attempt?.connectorId,
      data: attempt?.result,
      error: refused ?? attempt?.error,
      runAsync,
      run(connectorId, input) {
        runAsync(connectorId, input).catch(() => {}) // it is in the state
      },
      reset() {
        setRefused(undefined)
        if (attempt) attempts.reset(attempt.connectorId)
      },
    }),
    [attempt, attempts, refused, runAsync],
  )
}

/** @example const disconnect = useDisconnect(); disconnect.run(connection.connectorId) */
export const useDisconnect = (): Action<[connectorId: string], void> => {
  const { disconnect } = useCore()
  return useAction((_signal, connectorId: string) => disconnect(connectorId))
}
