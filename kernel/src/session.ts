/** Who is signed in, and the token that says so: stored, renewed once for all callers and tabs, sent only while valid. */
import type { ConnectContext, Credential, WalletConnector } from './connector.js'
import type { Parts } from './parts.js'
import { hasShape } from './shape.js'
import { KeybayError, sessionMissing } from './spec/errors.js'

export interface Token {
  /** The bearer token; absent when the API keeps it in an HttpOnly cookie. */
  readonly value?: string
  /** ms since epoch */
  readonly expiresAt: number
  /** Only good together with the session's own key. */
  readonly refresh?: string
}
export type SessionStatus =
  | 'anonymous'
  | 'authenticating'
  | 'verification'
  | 'mfa-required'
  | 'authenticated'
  | 'expired'
export interface SessionState {
  readonly status: SessionStatus
  readonly userId?: string
}
/** What a host sees. */
export interface Session {
  readonly current: SessionState
  subscribe(listener: () => void): () => void
  /**
   * The bearer token while valid, renewed if it ran out; undefined when nobody is signed in.
   * @throws what the renewal threw (offline): the session stays, and the next call tries again.
   */
  bearer(): Promise<string | undefined>
}
/** Of the attempt whose credential it is: while the user is asked, its time-out rests. */
export type ExchangeContext = Pick<ConnectContext, 'signal' | 'prompt'>
/** What a plugin (in practice `account`) may do besides. */
export interface SessionControl extends Session {
  /** Resolves when what was stored has been read. */
  restore(): Promise<void>
  set(state: SessionState, token?: Token): Promise<void>
  /** Shown in this tab only, and stored nowhere: what a sign-in goes through on its way. */
  show(state: SessionState): void
  /** Signs out here and in every tab. */
  clear(): Promise<void>
  /** How to renew; resolves to undefined when the session is over. */
  renewWith(renew: (old: Token) => Promise<Token | undefined>): void
  /** How a login's credential becomes a session. */
  exchangeWith(exchange: (credential: Credential, ctx: ExchangeContext) => Promise<SessionState>): void
  exchange(credential: Credential, ctx: ExchangeContext): Promise<SessionState>
  /**
   * Set by `account` for connect-and-sign: the wallet proves itself before it is connected, with one approval where it
   * can. Throwing fails the connect. Also called for silent reconnects; `ctx` says so.
   */
  prove?: (connector: WalletConnector, ctx: ConnectContext) => Promise<unknown>
}

/** A token that ends within this many ms counts as ended: clocks differ, and requests take time. */
const SKEW_MS = 30_000
const KEY = 'session'
const ANONYMOUS: SessionState = { status: 'anonymous' }
interface Saved {
  readonly state: SessionState
  readonly token?: Token | undefined
}

export function createSession({
  config,
  storage,
  tabs,
  bus,
  makeStore,
}: Pick<Parts, 'config' | 'storage' | 'tabs' | 'bus' | 'makeStore'>): SessionControl & { start(): () => void } {
  const { clock } = config
  const store = makeStore(ANONYMOUS)
  let token: Token | undefined
  /** Counts sign-ins and sign-outs: what was read before one of them is out of date. */
  let version = 0
  let renew: ((old: Token) => Promise<Token | undefined>) | undefined
  let exchange: ((credential: Credential, ctx: ExchangeContext) => Promise<SessionState>) | undefined
  let renewing: Promise<string | undefined> | undefined
  let restoring: Promise<void> | undefined

  const valid = () => token && token.expiresAt - SKEW_MS > clock.now()
  const show = (state: SessionState) => {
    const now = store.get()
    if (now.status === state.status && now.userId === state.userId) return
    store.set(state)
    bus.emit('session:changed', { session: state })
  }
  const load = async () => {
    const before = version
    const saved = await storage.get(KEY)
    if (before !== version) return
    const sound: Saved = hasShape<Saved>(saved, { state: 'object' }) ? saved : { state: ANONYMOUS }
    token = sound.token
    show(sound.state)
  }
  const restore = () => {
    restoring ??= load()
    return restoring
  }
  const save = async (state: SessionState, next?: Token) => {
    version++
    await (state === ANONYMOUS ? storage.remove(KEY) : storage.set(KEY, { state, token: next }))
    // Both change together, so that no caller gets the new user's token while `current` still names the old user.
    token = next
    show(state)
    tabs.post({ type: KEY })
  }
  const renewOnce = async () => {
    await load() // another tab may have been first, or signed out
    if (valid() || !token || !renew) return token?.value
    const { expiresAt } = token
    const { userId } = store.get()
    const next = await renew(token)
    await load()
    // Signed out, or in as somebody else, here or in another tab, while we asked: the answer belongs to nobody. What
    // another tab renewed may be read late, even after its lock was passed on: then that counts.
    const now = store.get()
    if (token?.expiresAt !== expiresAt) return now.userId === userId ? token?.value : undefined
    await save(next ? now : { ...now, status: 'expired' }, next)
    return next?.value
  }
  return {
    get current() {
      return store.get()
    },
    subscribe: store.subscribe,
    restore,
    show,
    set: save,
    clear: () => save(ANONYMOUS),
    async bearer() {
      await restore()
      if (valid()) return token?.value
      if (token && renew) {
        // Where storage is refused, so are locks, and no other tab has this token.
        renewing ??= (
          (storage.persistent && navigator.locks?.request(`keybay:${config.environmentId}`, renewOnce)) ||
          renewOnce()
        ).finally(() => {
          renewing = undefined
        })
        return renewing
      }
      if (token) show({ ...store.get(), status: 'expired' })
      return undefined
    },
    renewWith(next) {
      renew = next
    },
    exchangeWith(next) {
      exchange = next
    },
    async exchange(...args) {
      if (exchange) return exchange(...args)
      throw new KeybayError(sessionMissing, { detail: 'account' })
    },
    start() {
      tabs.on(load) // whatever it is about: to look is cheap
      // A message may arrive before what it tells of can be read: tabs have processes of their own.
      addEventListener('storage', load)
      void restore()
      return () => removeEventListener('storage', load)
    },
  }
}
