import type { Attempt, Connection, KeybayError, Registered, SessionState } from '@keybay/kernel'
import { useCallback } from 'react'
import { type Action, useAction } from './action.js'
import { useKeybay } from './context.js'
import { useList } from './list.js'

/** Every id that the host's plugins declare, and any other string. */
export type ConnectorId = Parameters<Registered['connectors']['get']>[0]

export interface Connect {
  /** `redirecting`: the user is on another page. The attempt continues on return, even after a full reload. */
  readonly status: 'idle' | 'pending' | 'redirecting' | 'success' | 'error'
  readonly connectorId: string | undefined
  /** The connection of a wallet, or the session of a login. */
  readonly data: Connection | SessionState | undefined
  readonly error: KeybayError | undefined
  /** Starts inside the click, so that a popup may open. Never rejects: read `status` and `error`. Stable over renders. */
  run(id: ConnectorId, input?: unknown): void
  /** The kernel's `connect`, with a result typed by the id. @throws KeybayError */
  runAsync: Registered['connect']
  /** Returns the latest attempt with a connector, for a list that shows each. */
  attempt(id: string): Attempt | undefined
  /** Cancels a pending attempt, for all its callers: the status becomes `idle`. */
  abort(): void
  /** Cancels a pending attempt, and forgets how the last one ended. */
  reset(): void
}
const STATUS = { connecting: 'pending', redirecting: 'redirecting', succeeded: 'success', failed: 'error' } as const

/**
 * Connects a wallet or signs in. Shows the kernel's attempts: they survive a reload or a redirect, and are the same in every
 * component.
 *
 * @param id the connector to follow; by default the one that was tried last
 * @example const connect = useConnect(); <button onClick={() => connect.run('wallet-standard:phantom')}>Connect</button>
 */
export function useConnect(id?: ConnectorId): Connect {
  const { attempts, connect } = useKeybay()
  const list = useList(attempts, () =>
    attempts.list().filter(({ method, connectorId }) => method === 'connect' && (!id || connectorId === id)),
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
      (connectorId, input) => {
        connect(connectorId, input).catch(() => {}) // the attempt shows the error
      },
      [connect],
    ),
    runAsync: connect,
    attempt: connectorId => list.find(attempt => attempt.connectorId === connectorId),
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
