/** Requests of the signed-in user: renews the session, proves each request, and adds a second factor if required. */
import type { Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { AccountRequest } from './api.js'
import type { Client } from './client.js'
import { reauthenticationRequired } from './errors.js'
import { type Ask, type Authenticate, askFactor } from './factor.js'
import { isOver, isSignedIn, type Lifecycle } from './lifecycle.js'
import { read } from './parse/check.js'
import { type Demand, isChallenge, isDemand, isMfaToken } from './parse/mfa.js'
import type { Keys } from './session-key.js'

export type Request = (path: string, options?: AccountRequest, ask?: Ask) => Promise<unknown>
/** Has the user sign in again. */
export type Reauthenticate = (ask: Ask, signal: AbortSignal | undefined) => Promise<void>
export interface Requests {
  readonly request: Request
  /** Returns a token for one action on one request, after an `mfa` prompt. */
  token(demand: Demand, signal: AbortSignal | undefined, ask?: Ask): Promise<string>
  /** Creates a prompt outside an attempt. A UI may show it next to the connector. */
  asking(signal: AbortSignal | undefined, connectorId?: string): Ask
}

export function createRequests(
  kernel: Kernel,
  client: Client,
  keys: Keys,
  lifecycle: Lifecycle,
  authenticate: Authenticate,
  reauthenticate: Reauthenticate,
): Requests {
  const { session } = kernel
  const asking: Requests['asking'] = (signal, connectorId) => input =>
    kernel.prompt(input, { ...(signal && { signal }), ...(connectorId !== undefined && { connectorId }) })
  const send = async (
    path: string,
    options: AccountRequest,
    headers: Readonly<Record<string, string>> = {},
    isLast = false,
  ): Promise<unknown> => {
    const bearer = await session.bearer()
    const { current } = session
    if (!isSignedIn(current)) throw new KeybayError(sessionMissing)
    const key = await keys.session()
    if (!key) await lifecycle.end(current, key)
    if (!key) throw new KeybayError(sessionMissing)
    try {
      // Reading needs no proof.
      const reads = options.method === 'GET' || (!options.method && options.body === undefined)
      return await client.send(path, { ...options, ...(!reads && { key }), headers })
    } catch (thrown) {
      if (isOver(thrown)) {
        const mayRevive = !isLast && toKeybayError(thrown).code === 'session_expired'
        if (mayRevive && (await session.revive(current, bearer))) return send(path, options, headers, true)
        await lifecycle.end(current, key)
      }
      if (toKeybayError(thrown).code === 'verification_required') await lifecycle.move('verify-email')
      throw thrown
    }
  }
  const token: Requests['token'] = async ({ action, requestHash, devices }, signal, ask = asking(signal)) =>
    askFactor(ask, authenticate, {
      action,
      devices,
      begin: async deviceId =>
        client.local(
          read(isChallenge, await send('/mfa/challenges', { body: { action, requestHash, deviceId }, signal })),
        ),
      async finish(challengeId, body) {
        return read(isMfaToken, await send(`/mfa/challenges/${challengeId}`, { body, signal })).mfaToken
      },
    })
  return {
    asking,
    token,
    async request(path, options = {}, ask) {
      try {
        return await send(path, options)
      } catch (thrown) {
        const { code, details } = toKeybayError(thrown)
        const isStale = code === reauthenticationRequired.code
        if ((code !== 'mfa_required' && !isStale) || !isDemand(details)) throw thrown
        const { signal } = options
        if (isStale && details.devices.length === 0) {
          await reauthenticate(ask ?? asking(signal), signal)
          return send(path, options)
        }
        return send(path, options, { 'x-keybay-mfa-token': await token(details, signal, ask) })
      }
    },
  }
}
