import { type Core, createStore, type KeybayError, type Store, toKeybayError } from '@keybay/kernel'

/** Wallets that belong to who is signed in, as all components of an instance see them. */
export interface OwnWalletsState<Wallet> {
  /** `none`: nobody is signed in. `loading` and `error` may come with an older list. */
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  /** Undefined until the first answer; empty: no wallet yet. */
  readonly wallets?: readonly Wallet[] | undefined
  readonly error?: KeybayError | undefined
}
export interface OwnWalletsStore<Wallet> {
  get(): OwnWalletsState<Wallet>
  /** The first listener begins to look after the list, the last one that leaves ends it. */
  subscribe(listener: () => void): () => void
  /** Asks again. @throws KeybayError */
  refresh(signal?: AbortSignal): Promise<readonly Wallet[]>
}
export interface OwnWalletsOptions<Wallet> {
  readonly session: Core['session']
  readonly read: (signal: AbortSignal) => Promise<readonly Wallet[]>
  /** Listens for what changes the list without being asked: call `set` with the new one, or `reload`. @returns ends it */
  readonly watch: (changes: { set(wallets: readonly Wallet[]): void; reload(): void }) => () => void
}
/** Nobody is signed in; so too on a server. */
export const NO_WALLETS: OwnWalletsState<never> = { status: 'none' }

/**
 * For plugins whose wallets belong to a user: asked for once for all components, again for another user, and never out of
 * order.
 *
 * @example
 * createOwnWallets<MyWallet>({ session, read: signal => api.wallets({ signal }), watch: ({ reload }) => on('my:changed', reload) })
 */
export function createOwnWallets<Wallet>({ session, read, watch }: OwnWalletsOptions<Wallet>): OwnWalletsStore<Wallet> {
  const store: Store<OwnWalletsState<Wallet>> = createStore(NO_WALLETS, error => console.error(error))
  /** Whose list it is. */
  let owner: string | undefined
  /** The newest question: an answer to an older one is out of date. */
  let latest: AbortController | undefined
  let watchers = 0
  let offs: readonly (() => void)[] = []

  const outdate = (): void => {
    latest?.abort()
    latest = undefined
  }
  const load = async (signal?: AbortSignal): Promise<readonly Wallet[]> => {
    const { status, userId } = session.current
    outdate()
    if (status !== 'authenticated') {
      owner = undefined
      store.set(NO_WALLETS)
      return []
    }
    const mine = new AbortController()
    latest = mine
    const { wallets: known } = userId === owner ? store.get() : NO_WALLETS
    owner = userId
    store.set({ status: 'loading', wallets: known })
    try {
      const wallets = await read(signal ? AbortSignal.any([signal, mine.signal]) : mine.signal)
      if (latest === mine) store.set({ status: 'ready', wallets })
      return wallets
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (latest === mine) store.set({ status: 'error', wallets: known, error })
      throw error
    }
  }
  const reload = (): void => {
    load().catch(() => {}) // it is in the state
  }
  const set = (wallets: readonly Wallet[]): void => {
    outdate()
    owner = session.current.userId
    store.set({ status: 'ready', wallets })
  }
  const begin = (): void => {
    const other = (): void => {
      const { status, userId } = session.current
      // A renewed token is the same user.
      if ((status === 'authenticated' ? userId : undefined) !== owner) reload()
    }
    offs = [session.subscribe(other), watch({ set, reload })]
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
        outdate()
      }
    },
  }
}
