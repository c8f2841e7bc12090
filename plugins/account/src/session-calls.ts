/** API calls that begin, renew and end a session. */
import type { Kernel, Token } from '@keybay/kernel'
import { KeybayError, requestFailed, sessionMissing } from '@keybay/kernel/spec'
import type { Client } from './client.js'
import { isObject, number, read } from './parse/check.js'
import { isTokens, isWithoutSession, type Tokens } from './parse/sign-in.js'
import type { ProofKey } from './session-key.js'

/** Time that a sign-out waits for the server, in ms. */
const SIGN_OUT_TIMEOUT_MS = 3000
/**
 * Timeout of one renewal request, in ms; every tab waits for it. An immediate retry returns the same new token; ten
 * seconds after the first request, the server would treat the refresh token as stolen.
 */
const RENEWAL_TIMEOUT_MS = 8000

/** Returns a JWT's `iat` in ms. Only the server verifies the signature. */
function issuedAt(jwt: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return isObject(claims) && number(claims.iat) ? claims.iat * 1000 : undefined
  } catch {
    return undefined
  }
}

export interface SessionCalls {
  /** Checks the API's tokens, and returns the part that the kernel stores. */
  readToken(answer: unknown): Token
  /** Retries once after a timeout. @throws KeybayError `request_failed` */
  refresh(key: ProofKey, body: object): Promise<unknown>
  /** Ends the session at the API. Never fails. */
  signOut(bearer: string | undefined, key: ProofKey): Promise<unknown>
  /** Returns undefined if the promise fails or exceeds the sign-out timeout. */
  inTime<T>(promise: Promise<T>): Promise<T | undefined>
}

export function createSessionCalls({ config, clock }: Pick<Kernel, 'config' | 'clock'>, client: Client): SessionCalls {
  const isComplete = (value: unknown): value is Tokens =>
    isTokens(value) && (Boolean(config.cookieStorage) || Boolean(value.accessToken && value.refreshToken))
  const readToken = (answer: unknown): Token => {
    if (!isComplete(answer) && isWithoutSession(answer)) throw new KeybayError(sessionMissing)
    const tokens = read(isComplete, answer)
    const { accessToken, refreshToken, expiresAt } = tokens
    // Uses the server's time from the token: tokens are short-lived, so even a small error of the device's clock
    // matters.
    const issued = accessToken === undefined ? undefined : issuedAt(accessToken)
    if (issued !== undefined && Math.abs(issued - clock.now()) > 2000) client.skew = issued - clock.now()
    return {
      ...(!config.cookieStorage && accessToken !== undefined && { value: accessToken }),
      ...(!config.cookieStorage && refreshToken !== undefined && { refresh: refreshToken }),
      expiresAt: expiresAt - client.skew,
    }
  }
  const signOut = (bearer: string | undefined, key: ProofKey) => {
    const controller = new AbortController()
    const disarm = clock.after(SIGN_OUT_TIMEOUT_MS, () => controller.abort())
    return client
      .send('/auth/sign-out', {
        method: 'POST',
        key,
        anonymous: true, // Set now, because this page may be signed out before the request is sent.
        token: bearer,
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
  return { readToken, refresh, signOut, inTime }
}
