/** The wallets of who is signed in, asked for once for all components of an instance, and again when they may have changed. */
import { createStore, type KeybayError, toKeybayError } from '@keybay/kernel'
import type { WaasWallet } from '../protocol/wallet.js'
import type { WithWaas } from './waas.js'

export interface EmbeddedWalletsState {
  /** `none`: nobody is signed in. `loading` and `error` may come with an older list. */
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  /** Undefined until the first answer. */
  readonly wallets?: readonly WaasWallet[] | undefined
  readonly error?: KeybayError | undefined
}
export interface WalletsStore {
  get(): EmbeddedWalletsState
  subscribe(listener: () => void): () => void
  /** Asks again. @throws KeybayError */
  refresh(signal?: AbortSignal): Promise<readonly WaasWallet[]>
}
export const NONE: EmbeddedWalletsState = { status: 'none' }
const NO_WALLETS: readonly WaasWallet[] = []

const createWalletsStore = ({ waas, session, on }: WithWaas): WalletsStore => {
  const store = createStore(NONE, error => console.error(error))
  /** Whose list it is. */
  let owner: string | undefined
  /** The newest question: an answer to an older one is out of date. */
  let latest: AbortController | undefined
  let watchers = 0
  let offs: readonly (() => void)[] = []

  const load = async (signal?: AbortSignal): Promise<readonly WaasWallet[]> => {
    const { status, userId } = session.current
    latest?.abort()
    latest = undefined
    if (status !== 'authenticated') {
      owner = undefined
      store.set(NONE)
      return NO_WALLETS
    }
    const mine = new AbortController()
    latest = mine
    const { wallets: known } = userId === owner ? store.get() : NONE
    owner = userId
    store.set({ status: 'loading', wallets: known })
    try {
      const wallets = await waas.wallets({ signal: signal ? AbortSignal.any([signal, mine.signal]) : mine.signal })
      if (latest === mine) store.set({ status: 'ready', wallets })
      return wallets
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (latest === mine) store.set({ status: 'error', wallets: known, error })
      throw error
    }
  }
  const reload = () => {
    load().catch(() => {}) // it is in the state
  }
  const begin = () => {
    offs = [
      session.subscribe(() => {
        const { status, userId } = session.current
        // A renewed token is the same person.
        if ((status === 'authenticated' ? userId : undefined) !== owner) reload()
      }),
      on('waas:wallets-changed', reload),
    ]
    reload()
  }
  return {
    get: store.get,
    refresh: load,
    subscribe(listener) {
      const off = store.subscribe(listener)
      watchers += 1
      if (watchers === 1) begin()
      return () => {
        off()
        watchers -= 1
        if (watchers > 0) return
        for (const stop of offs) stop()
        latest?.abort()
        latest = undefined
      }
    },
  }
}

const stores = new WeakMap<WithWaas, WalletsStore>()
export const walletsStoreOf = (keybay: WithWaas): WalletsStore => {
  const store = stores.get(keybay) ?? createWalletsStore(keybay)
  stores.set(keybay, store)
  return store
}
