/** Live balance: from the websocket, by polling without one, and by an occasional check in any case. */
import type { Clock, KeybayError } from '@keybay/kernel'
import { toKeybayError } from '@keybay/kernel/spec'
import { type Changes, type Client, type Clients, followClient } from './client.js'
import { getBalance } from './rpc/calls.js'
import { at, toBigint, toNumber } from './rpc/read.js'

/** Polling interval in ms, without a websocket and with one (which may fail silently). */
export const POLL_MS = 5000
export const POLL_LIVE_MS = 30_000

interface Watch {
  readonly address: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onBalance: (balance: bigint) => void
  readonly onError: (error: KeybayError) => void
}

function watchOn({ rpc, socket }: Client, { address, clock, signal, onBalance, onError }: Watch): void {
  let live = false
  let newest = -1
  let reported: bigint | undefined
  let cancel = () => {}
  let looking: Promise<void> | undefined
  const report = (lamports: bigint, slot: number) => {
    // Ignores a response that arrives after a newer one.
    if (signal.aborted || slot < newest) return
    newest = slot
    if (lamports === reported) return
    reported = lamports
    onBalance(lamports)
  }
  const failed = (error: unknown) => {
    newest = -1 // A local chain that restarts begins at a lower slot.
    reported = undefined // The last value is now uncertain, so the next one is emitted even if equal.
    if (!signal.aborted) onError(toKeybayError(error))
  }
  const look = () => {
    cancel()
    if (signal.aborted) return
    looking ??= getBalance(rpc, address, { signal })
      .then(({ lamports, slot }) => report(lamports, slot), failed)
      .finally(() => {
        looking = undefined
        if (!signal.aborted) cancel = clock.after(live ? POLL_LIVE_MS : POLL_MS, look)
      })
  }
  const stop = socket.subscribe({
    method: 'accountSubscribe',
    params: [address, { commitment: 'confirmed', encoding: 'base64' }],
    onValue(result) {
      try {
        report(toBigint(at(result, 'value', 'lamports'), 'lamports'), toNumber(at(result, 'context', 'slot'), 'slot'))
      } catch (error) {
        failed(error)
      }
    },
    onLive(now) {
      live = now
      newest = -1
      void (looking ?? Promise.resolve()).then(look) // Fetches changes missed between subscriptions.
    },
  })
  signal.addEventListener('abort', () => {
    cancel()
    stop()
  })
  look()
}

/** Watches the current network, including after it changes, until the signal aborts. */
export function watchBalance(clients: Clients, changes: Changes, watch: Watch): void {
  const onError = (error: unknown) => watch.onError(toKeybayError(error))
  followClient(clients, changes, watch.signal, onError, (client, signal) => watchOn(client, { ...watch, signal }))
}
