/** The session's life at the API: begins with tokens, is renewed, ends. The kernel stores it. */

import type { Kernel, SessionState, SessionStatus, Token } from '@keybay/kernel'
import type { VerificationStep } from '@keybay/kernel/spec'
import { KeybayError, requestFailed, toKeybayError } from '@keybay/kernel/spec'
import type { Client } from './client.js'
import { isObject, number, read } from './parse/check.js'
import { isTokens, type Tokens } from './parse/sign-in.js'
import type { Keys, ProofKey } from './session-key.js'

/** How long a sign-out waits for the server. */
const SIGN_OUT_TIMEOUT_MS = 3000
/**
 * How long one renewal request may take, while every tab waits for it. Retried at once, the server gives the same
 * successor; ten seconds after the first request it would take the refresh token for a stolen one.
 */
const RENEWAL_TIMEOUT_MS = 8000

/** Also true for a user who still has to verify an address. */
export function isSignedIn({ status }: SessionState): boolean {
  return status === 'authenticated' || status === 'verification'
}

export function isOver(thrown: unknown): boolean {
  const { status, code } = toKeybayError(thrown)
  return status === 401 && (code === 'session_expired' || code === 'unauthorized')
}

export function statusAt(step: VerificationStep): SessionStatus {
  return step === 'verify-email' || step === 'verify-sms' ? 'verification' : 'authenticated'
}

export interface Lifecycle {
  begin(tokens: Tokens, state: SessionState, key: ProofKey): Promise<void>
  renew(old: Token, successor: () => Promise<Token | undefined>): Promise<Token | undefined>
  /** Ends the session because the server says so, unless another one began since. */
  end(from: SessionState, key: ProofKey | undefined): Promise<void>
  /** Shows the state that follows a step of verification. */
  move(step: VerificationStep): Promise<void>
  signOut(): Promise<void>
  /** Number of sign-outs in this page. A sign-in that began before the latest one is void. */
  readonly signOuts: number
  /** Forgets the session without telling the server: it knows. */
  forget(): Promise<void>
  /** Ends a server session whose sign-in was cancelled here. */
  discard(tokens: Tokens, key: ProofKey): Promise<void>
}

/** Returns a JWT's `iat` in ms. Only the server verifies the signature. */
function issuedAt(jwt: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return isObject(claims) && number(claims.iat) ? claims.iat * 1000 : undefined
  } catch {
    return undefined
  }
}

export function createLifecycle(kernel: Kernel, client: Client, keys: Keys): Lifecycle {
  const { config, clock, session, connections } = kernel
  const tokenOf = (tokens: Tokens): Token => {
    const { accessToken, refreshToken, expiresAt } = tokens
    // The token carries the server's time. A small error of this device's clock matters: a token's life is short.
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
  const endOnServer = (bearer: string | undefined, key: ProofKey) => {
    const controller = new AbortController()
    const disarm = clock.after(SIGN_OUT_TIMEOUT_MS, () => controller.abort())
    return client
      .send('/auth/sign-out', {
        method: 'POST',
        key,
        anonymous: true, // this page may be signed out before the request leaves
        headers: { ...(bearer && { authorization: `Bearer ${bearer}` }) },
        signal: controller.signal,
      })
      .catch(() => {})
      .finally(disarm)
  }
  const inTime = <T>(promise: Promise<T>): Promise<T | undefined> => {
    let disarm = () => {}
    const late = new Promise<undefined>(resolve => {
      disarm = clock.after(SIGN_OUT_TIMEOUT_MS, () => resolve(undefined))
    })
    return Promise.race([promise.catch(() => undefined), late]).finally(() => disarm())
  }
  /** Retries once after a time-out. @throws KeybayError `request_failed` */
  const refresh = async (key: ProofKey, body: object): Promise<unknown> => {
    for (let isLast = false; ; isLast = true) {
      const controller = new AbortController()
      const { signal } = controller
      const disarm = clock.after(RENEWAL_TIMEOUT_MS, () => controller.abort())
      try {
        return await client.send('/auth/refresh', { key, anonymous: true, body, signal })
      } catch (cause) {
        if (!signal.aborted) throw cause
        if (isLast) throw new KeybayError(requestFailed, { cause })
      } finally {
        disarm()
      }
    }
  }
  let signOuts = 0
  const forget = async () => {
    signOuts++
    await keys.forget()
    await session.clear()
  }
  return {
    get signOuts() {
      return signOuts
    },
    async begin(tokens, state, key) {
      const token = tokenOf(checked(tokens))
      await keys.adopt(key, tokens.sessionId)
      await session.set(state, token)
    },
    async renew(old, successor) {
      const key = await keys.session()
      if (!key) return undefined // without its key the session is worthless
      // `revive` sets `expiresAt` to 0, which names no token.
      if (old.expiresAt && key.renewed === old.expiresAt) {
        const next = await successor()
        if (next !== old) return next
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
    async end(from, key) {
      if (session.current !== from) return
      await keys.forget(key)
      if (session.current === from) await session.set({ ...from, status: 'expired' })
    },
    async move(step) {
      const { current } = session
      const status = statusAt(step)
      if (isSignedIn(current) && current.status !== status) await session.move(current, status)
    },
    async signOut() {
      const key = await keys.session()
      const known = isSignedIn(session.current) ? key : undefined
      const bearer = known && (await inTime(session.bearer()))
      const ended = known && endOnServer(bearer, known)
      await forget()
      if (config.authMode === 'connect-and-sign')
        await Promise.all(connections.list().map(({ connectorId }) => connections.disconnect(connectorId)))
      await ended
    },
    forget,
    discard: async ({ accessToken }, key) => void (await endOnServer(accessToken, key)),
  }
}
