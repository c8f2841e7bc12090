/** The session's life: begun by tokens, renewed, moved on by a verification, over, signed out. */
import type { Kernel, SessionState, SessionStatus, Token } from '@keybay/kernel'
import type { VerificationStep } from '@keybay/kernel/spec'
import type { Client } from './client.js'
import { kernelFault, toFault } from './fault.js'
import { isObject, number, optional, read, shape, text } from './parse/check.js'
import { isTokens, type Tokens } from './parse/sign-in.js'
import type { Keys, ProofKey } from './session-key.js'

/**
 * Between processes local storage is read later than IndexedDB and locks pass on: what another tab renewed is waited for
 * that long, and looked for that often, ms.
 */
const LATE_MS = 1000
const LOOK_MS = 20
/** The server is told that long, ms; a user who signs out does not wait for it longer. */
const FAREWELL_MS = 3000
/**
 * An answer to a renewal that takes longer is not waited for, ms: every tab waits for one renewal. Asked again at once, the
 * service gives the same successor; ten seconds after the first time it would take the token for a stolen one.
 */
const RENEWAL_MS = 8000

/** Somebody is signed in, if not yet wholly. */
export function isSignedIn({ status }: SessionState): boolean {
  return status === 'authenticated' || status === 'verification'
}

export function isOver(thrown: unknown): boolean {
  const { status, code } = toFault(thrown)
  return status === 401 && (code === 'session_expired' || code === 'unauthorized')
}

export function statusAt(step: VerificationStep): SessionStatus {
  return step === 'verify-email' || step === 'verify-sms' ? 'verification' : 'authenticated'
}

export interface Lifecycle {
  begin(tokens: Tokens, state: SessionState, key: ProofKey): Promise<void>
  renew(old: Token): Promise<Token | undefined>
  /**
   * The server says that the access token is over, though not by this device's clock, which may have been set since it
   * was given: renews it. False when the session is over, too.
   *
   * @param bearer the token that was refused
   */
  revive(was: SessionState, bearer: string | undefined): Promise<boolean>
  /** The server says so: whoever was signed in no longer is. Not if it is somebody else by now. */
  end(was: SessionState, key: ProofKey | undefined): Promise<void>
  /** After a step of verification. */
  move(step: VerificationStep): Promise<void>
  signOut(): Promise<void>
  /** How often somebody signed out here: a sign-in that began before is over. */
  readonly departures: number
  /** Forgets the session without telling the server: it knows. */
  forget(): Promise<void>
  /** The server's session is nobody's: what was asked for was cancelled meanwhile. */
  discard(tokens: Tokens, key: ProofKey): Promise<void>
}

const isToken = shape<Token>({ value: optional(text), expiresAt: number, refresh: optional(text) })
/** A JWT's `iat`, ms; its signature is the server's business. */
function issuedAt(jwt: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return isObject(claims) && number(claims.iat) ? claims.iat * 1000 : undefined
  } catch {
    return undefined
  }
}

export function createLifecycle(kernel: Kernel, client: Client, keys: Keys): Lifecycle {
  const { config, clock, session, storage, connections } = kernel
  const tokenOf = (tokens: Tokens): Token => {
    const { accessToken, refreshToken, expiresAt } = tokens
    // Its time is the service's. A clock that is a little off needs no second try, but a token's life is short.
    const issued = accessToken === undefined ? undefined : issuedAt(accessToken)
    if (issued !== undefined && Math.abs(issued - clock.now()) > 2000) client.skew = issued - clock.now()
    return {
      ...(!config.cookieStorage && accessToken !== undefined && { value: accessToken }),
      ...(!config.cookieStorage && refreshToken !== undefined && { refresh: refreshToken }),
      expiresAt: expiresAt - client.skew,
    }
  }
  const checked = (answer: unknown): Tokens =>
    read(
      (value): value is Tokens =>
        isTokens(value) && (Boolean(config.cookieStorage) || Boolean(value.accessToken && value.refreshToken)),
      answer,
    )
  const farewell = (bearer: string | undefined, key: ProofKey) => {
    const over = new AbortController()
    const disarm = clock.after(FAREWELL_MS, () => over.abort())
    return client
      .send('/auth/sign-out', {
        method: 'POST',
        key,
        anonymous: true, // it may be signed out here before the request has left
        headers: { ...(bearer && { authorization: `Bearer ${bearer}` }) },
        signal: over.signal,
      })
      .catch(() => {})
      .finally(disarm)
  }
  const inTime = <T>(promise: Promise<T>): Promise<T | undefined> => {
    let disarm = () => {}
    const late = new Promise<undefined>(resolve => {
      disarm = clock.after(FAREWELL_MS, () => resolve(undefined))
    })
    return Promise.race([promise.catch(() => undefined), late]).finally(() => disarm())
  }
  const pause = () =>
    new Promise<void>(resolve => {
      clock.after(LOOK_MS, () => resolve())
    })
  const saved = async (): Promise<Token | undefined> => {
    const row = await storage.get('session')
    return isObject(row) && isToken(row.token) ? row.token : undefined
  }
  /** @throws KeybayError `request_failed` when it takes too long, twice */
  const refresh = async (key: ProofKey, body: object): Promise<unknown> => {
    for (let again = true; ; again = false) {
      const late = new AbortController()
      const disarm = clock.after(RENEWAL_MS, () => late.abort())
      try {
        return await client.send('/auth/refresh', { key, anonymous: true, body, signal: late.signal })
      } catch (cause) {
        if (!late.signal.aborted) throw cause
        if (!again) throw kernelFault('requestFailed', { cause })
      } finally {
        disarm()
      }
    }
  }
  /** What another tab renewed, once it can be read here; `old` itself if that does not come. */
  const successor = async (old: Token): Promise<Token | undefined> => {
    for (let waited = 0; waited < LATE_MS; waited += LOOK_MS) {
      const token = await saved()
      if (token?.expiresAt !== old.expiresAt) return token
      await pause()
    }
    return old
  }
  let departures = 0
  const forget = async () => {
    departures++
    await keys.forget()
    await session.clear()
  }
  return {
    get departures() {
      return departures
    },
    async begin(tokens, state, key) {
      const token = tokenOf(checked(tokens))
      await keys.adopt(key, tokens.sessionId)
      await session.set(state, token)
    },
    async renew(old) {
      const key = await keys.session()
      if (!key) return undefined // a session that cannot be proved is worth nothing
      // What is set to be renewed at once has no end of its own to be known by.
      if (old.expiresAt && key.renewed === old.expiresAt) {
        const theirs = await successor(old)
        if (theirs !== old) return theirs
      }
      try {
        const body = { ...(old.refresh && { refreshToken: old.refresh }) }
        const next = tokenOf(checked(await refresh(key, body)))
        await keys.renewed(key, old.expiresAt)
        return next
      } catch (thrown) {
        if (!isOver(thrown)) throw thrown
        await keys.forget(key)
        return undefined
      }
    },
    async revive(was, bearer) {
      const token = await saved()
      if (session.current !== was || !token) return false
      if (token.value === bearer) await session.set(was, { ...token, expiresAt: 0 })
      await session.bearer()
      return session.current === was
    },
    async end(was, key) {
      if (session.current !== was) return
      await keys.forget(key)
      if (session.current === was) await session.set({ ...was, status: 'expired' })
    },
    async move(step) {
      const { current } = session
      const status = statusAt(step)
      if (!isSignedIn(current) || current.status === status) return
      // The kernel hands its token to nobody but renewal, and a state is set together with its token.
      const token = await saved()
      if (session.current === current && token) await session.set({ ...current, status }, token)
    },
    async signOut() {
      const key = await keys.session()
      const told = isSignedIn(session.current) && key
      const bearer = told ? await inTime(session.bearer()) : undefined
      const telling = told ? farewell(bearer, key) : undefined
      await forget()
      if (config.authMode === 'connect-and-sign')
        await Promise.all(connections.list().map(({ connectorId }) => connections.disconnect(connectorId)))
      await telling
    },
    forget,
    discard: async ({ accessToken }, key) => void (await farewell(accessToken, key)),
  }
}
