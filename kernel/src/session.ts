/** Who is signed in, and the token that says so: stored, renewed once for all callers and tabs, sent only while valid. */
import type { Credential } from './connector.js'
import { KeybayError, sessionMissing } from './errors.js'
import type { Parts } from './parts.js'
import { hasShape } from './shape.js'

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
/** What a plugin (in practice `account`) may do besides. */
export interface SessionControl extends Session {
  /** Resolves when what was stored has been read. */
  restore(): Promise<void>
  set(state: SessionState, token?: Token): Promise<void>
  /** Signs out here and in every tab. */
  clear(): Promise<void>
  /** How to renew; resolves to undefined when the session is over. */
  renewWith(renew: (old: Token) => Promise<Token | undefined>): void
  /** How a login's credential becomes a session. */
  exchangeWith(exchange: (credential: Credential, signal: AbortSignal) => Promise<SessionState>): void
  exchange(credential: Credential, signal: AbortSignal): Promise<SessionState>
}

/** A token that ends within this many ms counts as ended: clocks differ, and requests take time. */
const SKEW_MS = 30_000
const KEY = 'session'
const ANONYMOUS: SessionState = { status: 'anonymous' }
interface Saved {
  readonly state: SessionState
  readonly token?: Token | undefined
}
export const createSession = ({
  config,
  storage,
  tabs,
  bus,
  makeStore,
}: Pick<Parts, 'config' | 'storage' | 'tabs' | 'bus' | 'makeStore'>): SessionControl & { start(): undefined } => {
  const { clock } = config
  const store = makeStore(ANONYMOUS)
  let token: Token | undefined
  /** Counts sign-ins and sign-outs: what was read before one of them is out of date. */
  let version = 0
  let renew: ((old: Token) => Promise<Token | undefined>) | undefined
  let exchange: ((credential: Credential, signal: AbortSignal) => Promise<SessionState>) | undefined
  let renewing: Promise<string | undefined> | undefined
  let restoring: Promise<void> | undefined

  const valid = () => token && token.expiresAt - SKEW_MS > clock.now()
  const read = async (): Promise<Saved> => {
    const saved = await storage.get(KEY)
    return hasShape<Saved>(saved, { state: 'object' }) ? saved : { state: ANONYMOUS }
  }
  const show = (state: SessionState) => {
    const now = store.get()
    if (now.status === state.status && now.userId === state.userId) return
    store.set(state)
    bus.emit('session:changed', { session: state })
  }
  const load = async () => {
    const before = version
    const saved = await read()
    if (before !== version) return
    token = saved.token
    show(saved.state)
  }
  const restore = () => {
    restoring ??= load()
    return restoring
  }
  const save = async (state: SessionState, next?: Token) => {
    version++
    token = next
    await (state === ANONYMOUS ? storage.remove(KEY) : storage.set(KEY, { state, token }))
    show(state)
    tabs.post({ type: KEY })
  }
  const renewOnce = async () => {
    await load() // another tab may have been first, or signed out
    if (valid() || !token || !renew) return token?.value
    const before = version
    const { expiresAt } = token
    const next = await renew(token)
    // Signed out, or in as somebody else, here or in another tab, while we asked: the answer belongs to nobody.
    const now = await read()
    if (before !== version || now.token?.expiresAt !== expiresAt) return undefined
    await save(next ? now.state : { ...now.state, status: 'expired' }, next)
    return next?.value
  }
  // Where storage is refused, so are locks, and no other tab has this token.
  const renewAlone = () =>
    globalThis.navigator?.locks && storage.persistent
      ? navigator.locks.request(`keybay:${config.environmentId}:renew`, renewOnce)
      : renewOnce()
  return {
    get current() {
      return store.get()
    },
    subscribe: store.subscribe,
    restore,
    set: save,
    clear: () => save(ANONYMOUS),
    async bearer() {
      await restore()
      if (valid()) return token?.value
      if (token && renew) {
        renewing ??= renewAlone().finally(() => {
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
    async exchange(credential, signal) {
      if (!exchange) throw new KeybayError(sessionMissing, { detail: 'add account()' })
      return exchange(credential, signal)
    },
    start(): undefined {
      tabs.on(message => {
        if (message.type === KEY) void load()
      })
      void restore()
    },
  }
}
