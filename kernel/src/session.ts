/** Owns the session: who is signed in, and the token that proves it, renewed once for all callers and tabs. */
import type { ConnectContext, Credential, WalletConnector } from './connector.js'
import type { Base } from './kernel.js'
import { ANONYMOUS, createSavedSession, type SavedSession, type Token } from './saved-session.js'
import type { SessionState, SessionStatus } from './snapshots.js'
import { KeybayError, sessionMissing } from './spec/errors.js'

/** The host's view of the session. */
export interface Session {
  readonly current: SessionState
  subscribe(listener: () => void): () => void
  /**
   * Returns the bearer token while it is valid, renewed if it expired; undefined when no user is signed in.
   * @throws what the renewal threw (offline): the session stays, and the next call tries again.
   */
  bearer(): Promise<string | undefined>
}
/** Context of the sign-in attempt. Its time-out is paused while a prompt is open. */
export type ExchangeContext = Pick<ConnectContext, 'signal' | 'prompt'>

/** The plugin that signs users in; in practice `account`. */
export interface SessionProvider {
  /** Turns a login's credential into a session. */
  exchange?(credential: Credential, ctx: ExchangeContext): Promise<SessionState>
  /**
   * Renews a token. Resolves to undefined when the session is over.
   *
   * @param successor call it if another tab already renewed `token`: waits until this tab can read the new token, and
   *   resolves to `token` itself when that takes too long
   */
  renew?(token: Token, successor: () => Promise<Token | undefined>): Promise<Token | undefined>
  /**
   * Proves that the user owns a wallet before it is connected, with one approval where the wallet can do both. Throwing
   * fails the connect. Not called for silent reconnects.
   */
  prove?(connector: WalletConnector, ctx: ConnectContext): Promise<unknown>
}
/** The plugins' view of the session. */
export interface SessionControl extends Session {
  /** Registers the plugin that signs users in. A second call replaces the first. */
  register(provider: SessionProvider): void
  /** True if connecting a wallet also signs the user in: `authMode: 'connect-and-sign'` and a provider that proves. */
  readonly provesWallets: boolean
  /** Resolves when the stored session has been read. */
  restore(): Promise<void>
  /** Stores a state with its token, for all tabs. */
  set(state: SessionState, token?: Token): Promise<void>
  /** Stores another status and keeps the token. Does nothing if the session is no longer `from`. */
  move(from: SessionState, status: SessionStatus): Promise<void>
  /** Shows a step of a sign-in, in this tab only. */
  show(state: SessionState): void
  /** Signs out in every tab. */
  clear(): Promise<void>
  /**
   * Renews a token that the API refused as expired, whatever this device's clock says.
   *
   * @param from the session that made the call
   * @param refused its bearer token
   * @returns false if that session is over
   */
  revive(from: SessionState, refused: string | undefined): Promise<boolean>
  /** @throws KeybayError `session_missing` without a provider */
  exchange(credential: Credential, ctx: ExchangeContext): Promise<SessionState>
}
export interface SessionService extends SessionControl {
  /**
   * Proves a wallet that is being connected, if the app's mode or the caller requires it. Returns undefined when it does
   * not: then nothing may be awaited before the wallet is called, because that must happen inside the click.
   */
  prove(connector: WalletConnector, ctx: ConnectContext, required?: boolean): Promise<unknown> | undefined
  start(): () => void
}

/** A token that ends within this time counts as expired: clocks differ, and requests take time. */
const SKEW_MS = 30_000
/** How long to wait for a token that another tab renewed: its storage may be read here after its lock was passed on. */
const SUCCESSOR_TIMEOUT_MS = 1000
const SUCCESSOR_POLL_MS = 20

function createRenewal(
  { config: { clock, environmentId }, storage }: Base,
  saved: SavedSession,
  provider: () => SessionProvider,
) {
  let renewing: Promise<string | undefined> | undefined
  const isValid = () => saved.token && saved.token.expiresAt - SKEW_MS > clock.now()
  const waitForSuccessor = async (old: Token) => {
    for (let waited = 0; waited < SUCCESSOR_TIMEOUT_MS; waited += SUCCESSOR_POLL_MS) {
      await saved.load()
      if (saved.token?.expiresAt !== old.expiresAt) return saved.token
      await new Promise<void>(resolve => {
        clock.after(SUCCESSOR_POLL_MS, resolve)
      })
    }
    return old
  }
  const renewOnce = async () => {
    await saved.load() // another tab may have renewed it, or signed out
    const { token: old } = saved
    const { renew } = provider()
    if (isValid() || !old || !renew) return old?.value
    const { userId } = saved.get()
    const next = await renew(old, () => waitForSuccessor(old))
    await saved.load()
    const current = saved.get()
    // A sign-out, a sign-in or another tab's renewal during the request wins; the new token is discarded.
    if (saved.token?.expiresAt !== old.expiresAt) return current.userId === userId ? saved.token?.value : undefined
    await saved.save(next ? current : { ...current, status: 'expired' }, next)
    return next?.value
  }
  return async (): Promise<string | undefined> => {
    await saved.restore()
    if (isValid()) return saved.token?.value
    if (saved.token && provider().renew) {
      // Without storage there are no locks either, and no other tab has this token.
      renewing ??= (
        (storage.persistent && navigator.locks?.request(`keybay:${environmentId}`, renewOnce)) ||
        renewOnce()
      ).finally(() => {
        renewing = undefined
      })
      return renewing
    }
    if (saved.token) saved.show({ ...saved.get(), status: 'expired' })
    return undefined
  }
}

export function createSession(base: Base): SessionService {
  const saved = createSavedSession(base)
  const { subscribe, restore, show, save, start } = saved
  let provider: SessionProvider = {}
  const bearer = createRenewal(base, saved, () => provider)
  const session: SessionService = {
    get current() {
      return saved.get()
    },
    get provesWallets() {
      return base.config.authMode === 'connect-and-sign' && provider.prove !== undefined
    },
    prove: (connector, ctx, required) =>
      (required || session.provesWallets) && !ctx.silent ? provider.prove?.(connector, ctx) : undefined,
    register(next) {
      provider = next
    },
    subscribe,
    restore,
    bearer,
    show,
    start,
    set: save,
    async move(from, status) {
      await saved.load()
      if (saved.get() === from && saved.token) await save({ ...from, status }, saved.token)
    },
    clear: () => save(ANONYMOUS),
    async revive(from, refused) {
      await saved.load() // another tab may have renewed it
      const { token } = saved
      if (saved.get() !== from || !token) return false
      if (token.value === refused) await save(from, { ...token, expiresAt: 0 })
      await bearer()
      return saved.get() === from
    },
    async exchange(credential, ctx) {
      if (!provider.exchange) throw new KeybayError(sessionMissing, { detail: 'account' })
      return provider.exchange(credential, ctx)
    },
  }
  return session
}
