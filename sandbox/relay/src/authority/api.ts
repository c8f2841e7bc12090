/**
 * Client of the product API: its keys, its second-factor rules, session checks and redemption of MFA tokens.
 * Responses are cached for the times below, so a signature needs no API call.
 */
import { MFA_ACTIONS, type MfaAction } from '@keybay/kernel/spec'
import type { Clock } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { Cache } from '../cache.js'
import type { PublicJwk } from '../crypto/jwk.js'
import type { Environment } from '../environments.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'

const SETTINGS_FOR = 60_000
const STANDING_FOR = 10_000
/** Time until a wallet is reported again, in ms, in case the API's database was restored. */
const REPORTED_FOR = 600_000
const KEYS_AT_MOST_EVERY = 5_000
const TIMEOUT_MS = 5_000

const jwksSchema = v.object({
  keys: v.array(
    v.object({ kid: v.string(), kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string() }),
  ),
})
const settingsSchema = v.object({
  mfa: v.object({ actions: v.array(v.picklist(MFA_ACTIONS)) }),
  embeddedWallets: v.object({ enabled: v.boolean(), mostPerUser: v.number() }),
})
export type ApiSettings = v.InferOutput<typeof settingsSchema>
const devicesSchema = v.object({
  devices: v.array(v.object({ id: v.string(), method: v.string(), name: v.string(), createdAt: v.number() })),
})
const redeemedSchema = v.object({ userId: v.string(), sessionId: v.string(), receipt: v.string() })
export type MfaDevices = v.InferOutput<typeof devicesSchema>['devices']

export interface MfaScope {
  readonly action: MfaAction
  readonly requestHash: string
}
/** The request for which the API is asked. */
type Caller = Pick<Call, 'environment' | 'requestId'>
export type Api = ReturnType<typeof createApi>

export interface ApiParts {
  readonly clock: Clock
  /** Returns the host server's token on demand. `stale`: a token that the API refused. */
  readonly apiToken: (environment: Environment, stale?: string) => Promise<string | undefined>
}

/** Caches promises for a limited time and drops rejected ones. */
function remember<T>(clock: Clock, ms: number) {
  const cache = new Cache<{ readonly at: number; readonly value: Promise<T> }>()
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const known = cache.get(key)
    if (known && Math.abs(clock.now() - known.at) < ms) return known.value
    const value = make()
    cache.set(key, { at: clock.now(), value })
    value.catch(() => cache.delete(key))
    return value
  }
}

export function createApi({ clock, apiToken }: ApiParts) {
  const settings = remember<ApiSettings>(clock, SETTINGS_FOR)
  const standing = remember<MfaDevices>(clock, STANDING_FOR)
  const keySets = remember<ReadonlyMap<string, PublicJwk>>(clock, SETTINGS_FOR)
  const freshKeySets = remember<ReadonlyMap<string, PublicJwk>>(clock, KEYS_AT_MOST_EVERY)
  const reports = remember<void>(clock, REPORTED_FOR)
  const readKeys = async (environment: Environment): Promise<ReadonlyMap<string, PublicJwk>> => {
    const { keys } = await getAnswer(jwksSchema, await ask(environment, '/.well-known/jwks.json'))
    return new Map(keys.map(({ kid, kty, crv, x, y }) => [kid, { kty, crv, x, y }]))
  }
  const post = async ({ environment, requestId }: Caller, token: string, body: object): Promise<Response> =>
    ask(environment, '/mfa/tokens/redeem', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify(body),
    })
  return {
    /** Returns the API's public key with this ID; reloads the keys when the ID is unknown. */
    async key(environment: Environment, kid: string): Promise<PublicJwk | undefined> {
      const known = (await keySets(environment.id, () => readKeys(environment))).get(kid)
      return known ?? (await freshKeySets(environment.id, () => readKeys(environment))).get(kid)
    },
    settings: (environment: Environment): Promise<ApiSettings> =>
      settings(environment.id, async () => getAnswer(settingsSchema, await ask(environment, '/settings'))),
    /** Returns the second factors of the token's user. @throws RelayError `session_expired` when the session has ended */
    devices: (environment: Environment, token: string): Promise<MfaDevices> =>
      standing(`${environment.id} ${token}`, async () => {
        const response = await ask(environment, '/mfa/devices', { headers: { authorization: `Bearer ${token}` } })
        if (response.status === 401) throw new RelayError('session_expired')
        if (response.status === 403) throw new RelayError('unauthorized')
        return (await getAnswer(devicesSchema, response)).devices
      }),
    /** Redeems an MFA token; returns undefined when the token does not match this exact operation. */
    async redeem(caller: Caller, mfaToken: string, scope: MfaScope) {
      const { environment } = caller
      const token = await apiToken(environment)
      if (token === undefined) throw new RelayError('api_unavailable')
      let response = await post(caller, token, { ...scope, mfaToken })
      if (response.status === 401) {
        const other = await apiToken(environment, token)
        if (other !== undefined) response = await post(caller, other, { ...scope, mfaToken })
      }
      return response.status === 403 || response.status === 400 ? undefined : getAnswer(redeemedSchema, response)
    },
    report: reportRecord,
    reportExport,
    /** Reports the record unless it was reported lately. @param name of the record */
    reportOnce: (environment: Environment, name: string, record: string): Promise<void> =>
      reports(`${environment.id} ${name}`, () => reportRecord(environment, record)),
  }
}

const refusalSchema = v.object({
  code: v.string(),
  details: v.optional(v.object({ reason: v.optional(v.string()), deletesAt: v.optional(v.number()) }), {}),
})

/**
 * Reports R1's record of a wallet.
 *
 * @throws RelayError `embedded_wallet_address_already_linked`, `account_deletion_pending`, `session_expired` when the
 *   user was deleted, `ceremony_not_found` when the wallet was withdrawn, `api_unavailable`
 */
function reportRecord(environment: Environment, record: string): Promise<void> {
  return tell(environment, '/embedded-wallets', { record })
}

/**
 * Reports an export of a wallet, signed by R1. A repeat changes nothing.
 *
 * @throws RelayError `session_expired` when the user was deleted, `api_unavailable`
 */
function reportExport(environment: Environment, report: string): Promise<void> {
  return tell(environment, '/embedded-wallets/exports', { report })
}

async function tell(environment: Environment, path: string, body: object): Promise<void> {
  const response = await ask(environment, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return
  const refusal = v.safeParse(refusalSchema, await response.json().catch(() => undefined))
  throw refusal.success ? getRefusal(refusal.output) : new RelayError('api_unavailable')
}

function getRefusal({ code, details }: v.InferOutput<typeof refusalSchema>): RelayError {
  if (code === 'embedded_wallet_address_already_linked') return new RelayError('embedded_wallet_address_already_linked')
  if (code === 'account_deletion_pending') return new RelayError('account_deletion_pending', details)
  if (code === 'blocked_user_cannot_transfer_wallet') return new RelayError('blocked_user_cannot_transfer_wallet')
  if (details.reason === 'user') return new RelayError('session_expired')
  if (details.reason === 'withdrawn') return new RelayError('ceremony_not_found')
  // A configuration error of the operator, such as record keys that the API does not know.
  return new RelayError('api_unavailable', { refused: code, ...details })
}

async function ask({ apiUrl, id }: Environment, path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(`${apiUrl}/sdk/${id}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw new RelayError('api_unavailable')
  }
}

async function getAnswer<S extends v.GenericSchema>(schema: S, response: Response): Promise<v.InferOutput<S>> {
  const parsed = response.ok ? v.safeParse(schema, await response.json().catch(() => undefined)) : undefined
  if (!parsed?.success) throw new RelayError('api_unavailable')
  return parsed.output
}
