/** A balance that stays true: told by the websocket, looked up when there is none, and now and then all the same. */

import type { Clock, KeybayError } from '@keybay/kernel'
import { toKeybayError } from '@keybay/kernel/spec'
import type { Client, Clients } from './client.js'
import type { SolanaNetworks } from './networks.js'
import { getBalance } from './rpc/calls.js'
import { at, toBigint, toNumber } from './rpc/read.js'

/** ms between looks: without a websocket, and with one (it may have died without a word). */
const POLL_MS = 5000
const POLL_LIVE_MS = 30_000

interface Watch {
  readonly address: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onBalance: (balance: bigint) => void
  readonly onError: (error: KeybayError) => void
}

/** Watches on one network until the signal aborts. */
function watchOn({ rpc, socket }: Client, { address, clock, signal, onBalance, onError }: Watch): void {
  let live = false
  let newest = -1
  let told: bigint | undefined
  let cancel = () => {}
  let looking: Promise<void> | undefined
  const tell = (lamports: bigint, slot: number) => {
    // An answer that was on its way while a newer one came.
    if (signal.aborted || slot < newest) return
    newest = slot
    if (lamports === told) return
    told = lamports
    onBalance(lamports)
  }
  const failed = (error: unknown) => {
    newest = -1 // a local chain that begins anew begins at a lower slot
    told = undefined // what is known is doubtful now, so it is told again
    if (!signal.aborted) onError(toKeybayError(error))
  }
  const look = () => {
    cancel()
    if (signal.aborted) return
    looking ??= getBalance(rpc, address, 'confirmed', { signal })
      .then(({ lamports, slot }) => tell(lamports, slot), failed)
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
        tell(toBigint(at(result, 'value', 'lamports'), 'lamports'), toNumber(at(result, 'context', 'slot'), 'slot'))
      } catch (error) {
        failed(error)
      }
    },
    onLive(now) {
      live = now
      newest = -1
      void (looking ?? Promise.resolve()).then(look) // what changed while nobody told
    },
  })
  signal.addEventListener('abort', () => {
    cancel()
    stop()
  })
  look()
}

/** What tells that the network in use is another one, or is reached in another way. */
type Changes = readonly Pick<SolanaNetworks, 'subscribe'>[]

/** Watches on the network in use, whichever that is, until the signal aborts. */
export function watchBalance(clients: Clients, changes: Changes, { signal, ...watch }: Watch): void {
  let current: AbortController | undefined
  const follow = () => {
    current?.abort()
    const own = new AbortController()
    current = own
    clients.get().then(client => {
      if (!own.signal.aborted) watchOn(client, { ...watch, signal: own.signal })
    }, watch.onError)
  }
  const offs = changes.map(one => one.subscribe(follow))
  signal.addEventListener('abort', () => {
    for (const off of offs) off()
    current?.abort()
  })
  follow()
}
