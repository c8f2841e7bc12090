import type { Attempt, Connection, KeybayError, Registered, SessionState } from '@keybay/kernel'
import { useCallback } from 'react'
import { type Action, useAction } from './action.js'
import { useKeybay } from './context.js'
import { useList } from './list.js'

/** Every id that the host's plugins declare, and any other string. */
export type ConnectorId = Parameters<Registered['connectors']['get']>[0]

export interface Connect {
  /** `redirecting`: the user is on another page; the answer continues here, even after a full reload. */
  readonly status: 'idle' | 'pending' | 'redirecting' | 'success' | 'error'
  readonly connectorId: string | undefined
  /** The connection of a wallet, or the session of a login. */
  readonly data: Connection | SessionState | undefined
  readonly error: KeybayError | undefined
  /** Starts inside the click, so a popup may open. Never rejects: read `status` and `error`. The same function in every render. */
  run(id: ConnectorId, input?: unknown): void
  /** The kernel's own `connect`, its result typed by the id. @throws KeybayError */
  runAsync: Registered['connect']
  /** How the last attempt with one connector goes or went, for a list that shows each. */
  attempt(id: string): Attempt | undefined
  /** Cancels what is under way, for everyone who waits for it: back to `idle`. */
  abort(): void
  /** Cancels what is under way, and forgets how the last attempt ended. */
  reset(): void
}
const STATUS = { connecting: 'pending', redirecting: 'redirecting', succeeded: 'success', failed: 'error' } as const

/**
 * Connects a wallet or signs in. Its state is the kernel's own: a reload or a redirect loses nothing, and every component
 * sees the same.
 *
 * @param id follow this connector only; by default the one that was tried last
 * @example const connect = useConnect(); <button onClick={() => connect.run('wallet-standard:phantom')}>Connect</button>
 */
export function useConnect(id?: ConnectorId): Connect {
  const { attempts, connect } = useKeybay()
  const list = useList(attempts, () =>
    attempts.list().filter(one => one.method === 'connect' && (!id || one.connectorId === id)),
  )
  const { status, connectorId, result, error }: Partial<Attempt> = list.at(-1) ?? {}
  const reset = () => {
    if (connectorId) attempts.reset(connectorId)
  }
  return {
    status: status ? STATUS[status] : 'idle',
    connectorId,
    data: result,
    error,
    run: useCallback(
      (one, input) => {
        connect(one, input).catch(() => {}) // it is among the attempts
      },
      [connect],
    ),
    runAsync: connect,
    attempt: one => list.find(other => other.connectorId === one),
    abort() {
      if (!result && !error) reset()
    },
    reset,
  }
}

/** @example const disconnect = useDisconnect(); disconnect.run(connection.connectorId) */
export function useDisconnect(): Action<[connectorId: string], void> {
  const { disconnect } = useKeybay()
  return useAction((_signal, connectorId: string) => disconnect(connectorId))
}
