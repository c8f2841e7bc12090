import { type Core, createStore, type KeybayError, type Store, toKeybayError } from '@keybay/kernel'

/** Wallets of the signed-in user, shared by all components of an instance. */
export interface OwnWalletsState<Wallet> {
  /** `none`: no user is signed in. With `loading` or `error`, the list may be stale. */
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  /** Undefined until the first response; empty if the user has no wallet. */
  readonly wallets?: readonly Wallet[] | undefined
  readonly error?: KeybayError | undefined
}
export interface OwnWalletsStore<Wallet> {
  get(): OwnWalletsState<Wallet>
  /**
   * The first listener starts watching the list; removing the last one stops it. A later one has an old list loaded again,
   * with the status `ready` until then.
   */
  subscribe(listener: () => void): () => void
  /** Fetches the list again. @throws KeybayError */
  refresh(signal?: AbortSignal): Promise<readonly Wallet[]>
}
export interface OwnWalletsOptions<Wallet> {
  readonly session: Core['session']
  readonly read: (signal: AbortSignal) => Promise<readonly Wallet[]>
  /**
   * Watches for changes to the list: call `set` with the new list, or `reload`. @returns a function that stops watching
   */
  readonly watch: (changes: { set(wallets: readonly Wallet[]): void; reload(): void }) => () => void
}
/** State without a signed-in user, and on a server. */
export const NO_WALLETS: OwnWalletsState<never> = { status: 'none' }

/** A list older than this is loaded again when another component begins to use it. */
const MAX_AGE_MS = 30_000

/**
 * For plugins whose wallets belong to a user. Fetches the list once for all components, and again when the user
 * changes; ignores responses out of order.
 *
 * @example
 * createOwnWallets<MyWallet>({ session, read: signal => api.wallets({ signal }), watch: ({ reload }) =>
 * on('my:changed', reload) })
 */
export function createOwnWallets<Wallet>({ session, read, watch }: OwnWalletsOptions<Wallet>): OwnWalletsStore<Wallet> {
  const store: Store<OwnWalletsState<Wallet>> = createStore(NO_WALLETS, error => console.error(error))
  /** ID of the user who owns the list. */
  let owner: string | undefined
  /** Controller of the newest request; responses to older ones are stale. */
  let latest: AbortController | undefined
  /** Time of the newest list or attempt, of this page's clock. */
  let loadedAt = 0
  let watchers = 0
  let offs: readonly (() => void)[] = []

  const outdate = (): void => {
    latest?.abort()
    latest = undefined
  }
  const load = async (signal?: AbortSignal, isQuiet = false): Promise<readonly Wallet[]> => {
    const { status, userId } = session.current
    outdate()
    if (status !== 'authenticated') {
      owner = undefined
      store.set(NO_WALLETS)
      return []
    }
    const controller = new AbortController()
    latest = controller
    const { wallets: known } = userId === owner ? store.get() : NO_WALLETS
    owner = userId
    loadedAt = performance.now()
    if (!isQuiet) store.set({ status: 'loading', wallets: known })
    try {
      const wallets = await read(signal ? AbortSignal.any([signal, controller.signal]) : controller.signal)
      if (latest === controller) store.set({ status: 'ready', wallets })
      return wallets
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (latest === controller) store.set({ status: 'error', wallets: known, error })
      throw error
    }
  }
  const reload = (isQuiet = false): void => {
    load(undefined, isQuiet).catch(() => {}) // The state holds the error.
  }
  const set = (wallets: readonly Wallet[]): void => {
    outdate()
    owner = session.current.userId
    loadedAt = performance.now()
    store.set({ status: 'ready', wallets })
  }
  const begin = (): void => {
    const other = (): void => {
      const { status, userId } = session.current
      // A renewed token belongs to the same user.
      if ((status === 'authenticated' ? userId : undefined) !== owner) reload()
    }
    offs = [session.subscribe(other), watch({ set, reload: () => reload() })]
    reload()
  }
  return {
    get: store.get,
    refresh: signal => load(signal),
    subscribe(listener) {
      const off = store.subscribe(listener)
      watchers += 1
      if (watchers === 1) begin()
      else if (store.get().status === 'ready' && performance.now() - loadedAt > MAX_AGE_MS) reload(true)
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
