/** The session as it is stored: one value for all tabs, read again whenever another tab may have changed it. */
import type { Store } from './events.js'
import type { Base } from './kernel.js'
import type { SessionState } from './snapshots.js'
import { hasShape } from './spec/shape.js'

const KEY = 'session'
export const ANONYMOUS: SessionState = { status: 'anonymous' }

export interface Token {
  /** The bearer token; absent when the API keeps it in an HttpOnly cookie. */
  readonly value?: string
  /** ms since epoch */
  readonly expiresAt: number
  /** Works only together with the session's own key. */
  readonly refresh?: string
}
interface Saved {
  readonly state: SessionState
  readonly token?: Token | undefined
}
export interface SavedSession {
  readonly token: Token | undefined
  get(): SessionState
  subscribe: Store<SessionState>['subscribe']
  /** Reads what is stored. A sign-in or sign-out during the read wins. */
  load(): Promise<void>
  /** The first `load`, once. */
  restore(): Promise<void>
  save(state: SessionState, token?: Token): Promise<void>
  show(state: SessionState): void
  start(): () => void
}

export function createSavedSession({ storage, tabs, events, makeStore }: Base): SavedSession {
  const store = makeStore(ANONYMOUS)
  let token: Token | undefined
  /** Counts sign-ins and sign-outs: what was read before one of them is stale. */
  let version = 0
  let restoring: Promise<void> | undefined

  const show = (state: SessionState) => {
    const current = store.get()
    if (current.status === state.status && current.userId === state.userId) return
    store.set(state)
    events.emit('session:changed', { session: state })
  }
  const load = async () => {
    const before = version
    const saved = await storage.get(KEY)
    if (before !== version) return
    const sound: Saved = hasShape<Saved>(saved, { state: 'object' }) ? saved : { state: ANONYMOUS }
    token = hasShape<Token>(sound.token, { expiresAt: 'number' }) ? sound.token : undefined
    show(sound.state)
  }
  const restore = () => {
    restoring ??= load()
    return restoring
  }
  return {
    get token() {
      return token
    },
    get: store.get,
    subscribe: store.subscribe,
    load,
    show,
    restore,
    async save(state, next) {
      version++
      await (state === ANONYMOUS ? storage.remove(KEY) : storage.set(KEY, { state, token: next }))
      // Both change together, so that no caller gets the new user's token while `current` still names the old user.
      token = next
      show(state)
      tabs.post({ type: KEY })
    },
    start() {
      tabs.on(load) // any message: reading is cheap
      // A message may arrive before the change can be read: tabs run in separate processes.
      addEventListener('storage', load)
      void restore()
      return () => removeEventListener('storage', load)
    },
  }
}
