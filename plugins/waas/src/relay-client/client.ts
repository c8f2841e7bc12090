/** Sends requests to R1. Signs each attempt, and rejects responses of another shape than agreed. */
import { aborted, type ErrorSpec, KeybayError, recordInvalid, sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { consentRequired, mfaRequired } from '../protocol/errors.js'
import type { RelayRound } from '../protocol/wallet.js'
import { type Answer, errorSchema } from './answers.js'
import { withDeadline } from './deadline.js'
import { type DeviceKey, signJws } from './device-key.js'
import { inWords, readReason } from './policy-reason.js'

/** The user and operation of a request; the same for all requests of one operation. */
export interface Authority {
  /** The user's id: `sub` of the token. */
  readonly user: string
  readonly token: string
  /** By the host's session key. */
  readonly signedSessionId: string
  readonly mfaToken?: string | undefined
  readonly operation: string
  /** base64url SHA-256 of what the operation concerns; what the session's signature says, too. */
  readonly hash: string
  readonly signal?: AbortSignal | undefined
  /** Trace that the requests belong to (W3C). */
  readonly traceparent?: string | undefined
  /** Called when a request has ended. */
  readonly onRound?: ((round: RelayRound) => void) | undefined
}
/** Authority of a delegate, which acts without the user. */
export type OwnAuthority = Omit<Authority, 'token' | 'signedSessionId' | 'mfaToken'>

/** The device that signs a request. */
export interface Device {
  readonly key: DeviceKey
  readonly walletId: string
  readonly setId: string
  /** Epoch of the stored record; 0 before there is one. */
  readonly epoch: number
  /** Parties that take part in a signature. */
  readonly signers?: readonly string[] | undefined
  /** True if the user saw the decoded request in the visible frame and agreed. */
  readonly consent?: boolean | undefined
}
export interface RelayCall<T> {
  /** Path below the environment, e.g. `/wallets/list`. */
  readonly path: string
  readonly body: object
  readonly answer: Answer<T>
  readonly authority: Authority | OwnAuthority
  readonly device?: Device | undefined
}
export interface RelayClient {
  /**
   * Sends one request.
   * @throws KeybayError what the relay says; `frame_relay_unreachable`; `frame_relay_answer_wrong`; `aborted`
   */
  post<T>(call: RelayCall<T>): Promise<T>
  /** Sends an unsigned GET, e.g. `/party` for the keys that private messages are sealed for. */
  get<T>(path: string, answer: Answer<T>): Promise<T>
}

export interface RelayOptions {
  readonly configuration: {
    readonly environmentId: string
    readonly relays: readonly Pick<RelayConfiguration, 'party' | 'url'>[]
  }
  /** ms since epoch */
  readonly now: () => number
  readonly fetch: typeof fetch
  /** Longest wait for a response. Default: 30 s. */
  readonly timeoutMs?: number | undefined
}
const MAX_CHARACTERS = 1_000_000
/** The relay's code for requests that no consent allows. */
const POLICY_REFUSED = 'policy_refused'

export function createRelayClient({ configuration, now, fetch, timeoutMs }: RelayOptions): RelayClient {
  const { environmentId, relays } = configuration
  const service = relays[0]?.url.replace(/\/$/, '') ?? ''
  const base = `${service}/sdk/${environmentId}`
  /** The relay's clock minus ours, in ms: a browser's clock may be wrong. */
  let skew = 0

  const headers = async ({ authority, device }: RelayCall<unknown>, body: string): Promise<Headers> => {
    const made = new Headers({ 'content-type': 'application/json' })
    if ('token' in authority) {
      const { token, signedSessionId, mfaToken } = authority
      made.set('authorization', `Bearer ${token}`)
      made.set('x-keybay-session', signedSessionId)
      if (mfaToken !== undefined) made.set('x-keybay-mfa-token', mfaToken)
    }
    if (authority.traceparent !== undefined) made.set('traceparent', authority.traceparent)
    if (device) made.set('x-keybay-device', await signDevice(device, body, authority))
    return made
  }
  const signDevice = async (
    { key, walletId, setId, epoch, signers = [], consent }: Device,
    body: string,
    { user, operation, hash }: Pick<Authority, 'user' | 'operation' | 'hash'>,
  ): Promise<string> =>
    signJws(key, 'keybay-device+jwt', {
      aud: relays.map(({ party }) => party),
      env: environmentId,
      sub: user,
      op: operation,
      wallet: walletId,
      set: setId,
      epoch,
      signers,
      hash,
      bh: toBase64Url(await sha256(utf8(body))),
      iat: Math.floor((now() + skew) / 1000),
      jti: crypto.randomUUID(),
      ...(consent && { consent }),
    })

  const send = async (
    path: string,
    init: RequestInit,
  ): Promise<{ readonly status: number; readonly value: unknown }> => {
    try {
      const signal = withDeadline(init.signal, timeoutMs)
      const response = await fetch(path, { ...init, signal, credentials: 'omit', redirect: 'error', cache: 'no-store' })
      const text = await response.text()
      if (text.length > MAX_CHARACTERS) throw new KeybayError(relayAnswerWrong, { detail: path })
      return { status: response.status, value: parse(text) }
    } catch (cause) {
      if (cause instanceof KeybayError) throw cause
      throw new KeybayError(init.signal?.aborted ? aborted : relayUnreachable)
    }
  }
  const read = <T>(
    path: string,
    { status, value }: { readonly status: number; readonly value: unknown },
    schema: Answer<T>,
  ): T => {
    if (status >= 300) throw refusal(status, value)
    const { success, output } = v.safeParse(schema, value)
    if (success) return output
    throw new KeybayError(relayAnswerWrong, { detail: path, status })
  }

  return {
    async post(call) {
      assertPath(call.path)
      const body = JSON.stringify(call.body)
      const attempt = async () => {
        const { signal, onRound } = call.authority
        const init = { method: 'POST', headers: await headers(call, body), body, ...(signal && { signal }) }
        const startedAt = now()
        const report = (status?: number) => onRound?.({ path: call.path, ms: Math.max(0, now() - startedAt), status })
        const answer = send(base + call.path, init)
        answer.then(
          ({ status }) => report(status),
          () => report(),
        )
        return answer
      }
      const first = await attempt()
      const late = getClock(first)
      if (late === undefined) return read(call.path, first, call.answer)
      skew = late - now()
      return read(call.path, await attempt(), call.answer)
    },
    get: async (path, answer) => read(path, await send(service + path, { method: 'GET' }), answer),
  }
}

/** Rejects ids of a page or relay that would change the path. @throws KeybayError `record_invalid` */
export function assertPath(path: string): void {
  if (!/^(\/[\w-]+)+$/.test(path)) throw new KeybayError(recordInvalid, { detail: 'an id' })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
/** Returns the relay's time if it refused the request because of ours. */
function getClock({ status, value }: { readonly status: number; readonly value: unknown }): number | undefined {
  if (status !== 401) return undefined
  const details: unknown = Reflect.get(Object(value), 'details')
  const now: unknown = Reflect.get(Object(details), 'now')
  return Reflect.get(Object(details), 'reason') === 'time' && typeof now === 'number' ? now : undefined
}
/** Converts an error response. Keeps its code, except two that the protocol defines. */
function refusal(status: number, value: unknown): KeybayError {
  const { success, output } = v.safeParse(errorSchema, value)
  if (!success) return new KeybayError(status >= 500 ? relayUnreachable : relayAnswerWrong, { status })
  const { code, message, details } = output
  const known = [mfaRequired, consentRequired].find(spec => spec.code === code)
  const reason = code === POLICY_REFUSED ? readReason(details) : undefined
  return new KeybayError(known ?? { code, message }, { status, details, ...(reason && { detail: inWords(reason) }) })
}

/** A relay's response has another shape than agreed, an unknown signer, or impossible content. */
export const relayAnswerWrong: ErrorSpec<'frame_relay_answer_wrong'> = {
  code: 'frame_relay_answer_wrong',
  message: 'The relay sent an invalid response',
}
export const relayUnreachable: ErrorSpec<'frame_relay_unreachable'> = {
  code: 'frame_relay_unreachable',
  message: 'The relay can’t be reached. Try again',
}

/** Describes the relays that a client may trust. */

/** One party of the relay. */
export interface RelayConfiguration {
  readonly party: 'R1' | 'R2'
  /** Its API, e.g. `http://localhost:4300/api/v0`. */
  readonly url: string
  /** Pinned keys of its signed records, newest first. */
  readonly recordKeys: readonly RecordKey[]
  /** Pinned key that private messages are sealed for, X25519 in base64url. Default: the key that R1 names. */
  readonly sealingKey?: string | undefined
}
/** A public P-256 JWK. */
export interface RecordKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}
