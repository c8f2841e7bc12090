/**
 * Client of the other relay. R1 forwards a frame's request unchanged,
 * under its own signature; R2 responds as to a frame, but only to R1.
 */
import type { Clock } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { isSignedBy, readJws, signJws } from './authority/jws.js'
import { getKey, getThumbprint, type PublicJwk, publicJwk, sha256 } from './crypto/jwk.js'
import { isRelayErrorCode, RelayError } from './http/errors.js'
import { exactBytes } from './http/fields.js'
import type { Call, FromPeer } from './http/route.js'
import type { PartyKeys } from './party.js'

export interface PeerInfo {
  readonly party: 'R1' | 'R2'
  /** Record keys by key ID. */
  readonly recordKeys: ReadonlyMap<string, PublicJwk>
  readonly sealingKey: Uint8Array
}
export interface HandedOn extends FromPeer {
  readonly environmentId: string
  readonly path: string
  readonly rawBody: string
  readonly headers: Readonly<Record<string, string>>
}
export type Peer = ReturnType<typeof createPeer>
export interface PeerOptions {
  readonly url: string
  /** Response of the peer to `GET /party` as JSON; without it, the response is requested once. */
  readonly pinned?: string | undefined
  /** Stores the peer's response, so that a different response is not accepted later. */
  readonly keep: (text: string) => Promise<string>
  readonly keys: PartyKeys
  readonly clock: Clock
}

const TIMEOUT_MS = 8_000
const TOLERANCE = 60
const partySchema = v.object({
  party: v.picklist(['R1', 'R2']),
  recordKeys: v.pipe(v.array(publicJwk), v.minLength(1)),
  sealingKey: exactBytes(32),
})
const handedOn = v.strictObject({
  environmentId: v.string(),
  path: v.string(),
  rawBody: v.string(),
  headers: v.record(v.picklist(['authorization', 'x-keybay-session', 'x-keybay-device']), v.string()),
  mfa: v.optional(v.string()),
  extra: v.unknown(),
})
const claims = v.strictObject({ aud: v.literal('R2'), bh: v.string(), iat: v.number() })
const failure = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.record(v.string(), v.unknown())),
})

export function createPeer({ url, pinned, keep, keys, clock }: PeerOptions) {
  const parse = (text: string): PeerInfo => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), partySchema), text)
    if (!parsed.success) throw new Error('relay: RELAY_PEER_KEYS is not what a party answers')
    const { party, recordKeys, sealingKey } = parsed.output
    return { party, sealingKey, recordKeys: new Map(recordKeys.map(jwk => [getThumbprint(jwk), jwk])) }
  }
  let known: Promise<PeerInfo> | undefined = pinned === undefined ? undefined : Promise.resolve(parse(pinned))
  const info = (): Promise<PeerInfo> => {
    known ??= (async () => parse(await keep(await findText(await reach(`${url}/party`)))))()
    known.catch(() => {
      known = undefined
    })
    return known
  }
  return {
    /** @throws RelayError `peer_unavailable` */
    info,
    /** Forwards a call from R1. @throws the peer's own RelayError; `peer_unavailable` */
    async ask({ environment, path, rawBody, header }: Call, extra: unknown, mfa?: string): Promise<unknown> {
      const names = ['authorization', 'x-keybay-session', 'x-keybay-device']
      const headers = Object.fromEntries(names.flatMap(name => [[name, header(name)]]).filter(([, value]) => value))
      const body = JSON.stringify({ environmentId: environment.id, path, rawBody, headers, mfa, extra })
      const { kid, key } = keys.record
      const claims = { aud: 'R2', bh: sha256(body), iat: Math.floor(clock.now() / 1000) }
      const signature = signJws({ typ: 'keybay-peer+jwt', kid }, claims, key)
      const response = await reach(`${url}/peer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-keybay-peer': signature },
        body,
      })
      const answer: unknown = await response.json().catch(() => undefined)
      if (response.ok) return answer
      const { success, output } = v.safeParse(failure, answer)
      if (!success || !isRelayErrorCode(output.code) || response.status >= 500) throw new RelayError('peer_unavailable')
      throw new RelayError(output.code, { ...output.details, by: 'R2' }, output.message)
    },
    /** Sends a record from R1 to R2. */
    async tell(environmentId: string, record: string): Promise<void> {
      const body = JSON.stringify({ environmentId, record })
      const headers = { 'content-type': 'application/json' }
      const response = await reach(`${url}/peer/record`, { method: 'POST', headers, body })
      if (!response.ok) throw new RelayError('peer_unavailable')
    },
    /**
     * Verifies R1's signature before the body is read. @returns a function that refuses bytes that R1 did not sign
     * @throws RelayError `unauthorized`
     */
    async verify(signature: string | undefined): Promise<(rawBody: string) => void> {
      const jws = readJws(signature, 'keybay-peer+jwt')
      const { recordKeys } = await info()
      const jwk = typeof jws?.header.kid === 'string' ? recordKeys.get(jws.header.kid) : undefined
      const key = jwk && getKey(jwk)
      const said = v.safeParse(claims, jws?.claims, { abortEarly: true })
      if (!jws || !key || !said.success || !isSignedBy(jws, key)) throw new RelayError('unauthorized')
      const { bh, iat } = said.output
      if (Math.abs(iat - clock.now() / 1000) > TOLERANCE) throw new RelayError('unauthorized')
      return rawBody => {
        if (bh !== sha256(rawBody)) throw new RelayError('unauthorized')
      }
    },
  }
}

/** Reads a call that R1 signed and forwarded to R2. @throws RelayError `unauthorized` */
export function readHandedOn(body: unknown): HandedOn {
  const parsed = v.safeParse(handedOn, body)
  if (!parsed.success) throw new RelayError('unauthorized')
  return { ...parsed.output, extra: parsed.output.extra }
}

async function reach(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw new RelayError('peer_unavailable')
  }
}

async function findText(response: Response): Promise<string> {
  if (!response.ok) throw new RelayError('peer_unavailable')
  return response.text()
}
