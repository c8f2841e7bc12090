/**
 * Client of the other relay. R1 forwards a frame's request unchanged, under its own signature; R2 responds as to a
 * frame, but only to R1. The relays also compare their records: there both sign, the response too.
 */
import type { Clock } from '@keybay/sandbox-service'
import type { Labels } from '@keybay/sandbox-service/define-service'
import * as v from 'valibot'
import { isSignedBy, readJws, signJws } from './authority/jws.js'
import { getKey, getThumbprint, type PublicJwk, publicJwk, sha256 } from './crypto/jwk.js'
import { isRelayErrorCode, RelayError } from './http/errors.js'
import { exactBytes } from './http/fields.js'
import type { Call } from './http/route.js'
import type { PartyKeys } from './party.js'
import type { RelayParty } from './services.js'

export interface PeerInfo {
  readonly party: 'R1' | 'R2'
  /** Record keys by key ID. */
  readonly recordKeys: ReadonlyMap<string, PublicJwk>
  readonly sealingKey: Uint8Array
}
export type Peer = ReturnType<typeof createPeer>
export interface PeerOptions {
  readonly party: RelayParty
  /** Undefined for a single relay. */
  readonly url: string | undefined
  /** Response of the peer to `GET /party` as JSON; without it, the response is requested once. */
  readonly pinned?: string | undefined
  /** Stores the peer's response, so that a different response is not accepted later. */
  readonly keep: (text: string) => Promise<string>
  readonly keys: PartyKeys
  readonly clock: Clock
  /** Records a request, which began at `started` of `performance.now()`. */
  readonly measure: (started: number, labels: Labels<'path' | 'result'>) => void
}

const TIMEOUT_MS = 8_000
const TOLERANCE = 60
const partySchema = v.object({
  party: v.picklist(['R1', 'R2']),
  recordKeys: v.pipe(v.array(publicJwk), v.minLength(1)),
  sealingKey: exactBytes(32),
})
/** Request that R1 forwards. */
export const handedOn = v.strictObject({
  environmentId: v.string(),
  path: v.string(),
  rawBody: v.string(),
  headers: v.record(v.picklist(['authorization', 'x-keybay-session', 'x-keybay-device']), v.string()),
  mfa: v.optional(v.string()),
  extra: v.unknown(),
})
const claims = v.strictObject({
  aud: v.picklist(['R1', 'R2']),
  bh: v.string(),
  iat: v.number(),
  /** In a response: hash of the request's signature. */
  re: v.optional(v.string()),
})
const signedAnswer = v.object({ answer: v.string(), signature: v.string() })
const failure = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.record(v.string(), v.unknown())),
})

/** @throws Error when the text is not what a party answers */
export function readPeerKeys(text: string): PeerInfo {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), partySchema), text)
  if (!parsed.success)
    throw new Error(
      'relay: RELAY_PEER_KEYS is not what a party answers. Set it to what the other relay answers to GET /api/v0/party.',
    )
  const { party, recordKeys, sealingKey } = parsed.output
  return { party, sealingKey, recordKeys: new Map(recordKeys.map(jwk => [getThumbprint(jwk), jwk])) }
}

export function createPeer({ party, url, pinned, keep, keys, clock, measure }: PeerOptions) {
  let known: Promise<PeerInfo> | undefined = pinned === undefined ? undefined : Promise.resolve(readPeerKeys(pinned))
  const info = (): Promise<PeerInfo> => {
    if (url === undefined) return Promise.reject(new RelayError('peer_unavailable'))
    known ??= (async () => readPeerKeys(await keep(await readText(await reach(`${url}/party`)))))()
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const other = party === 'R1' ? 'R2' : 'R1'
  const sign = (body: string, re?: string): string => {
    const { kid, key } = keys.record
    const claims = {
      aud: other,
      bh: sha256(body),
      iat: Math.floor(clock.now() / 1000),
      ...(re !== undefined && { re }),
    }
    return signJws({ typ: 'keybay-peer+jwt', kid }, claims, key)
  }
  /**
   * Verifies the peer's signature, made for this relay just now, before a body is read.
   * @param re of a response: hash of the request's signature
   * @returns a function that refuses bytes that the peer did not sign
   * @throws RelayError `unauthorized`
   */
  const verify = async (signature: string | undefined, re?: string): Promise<(body: string) => void> => {
    const jws = readJws(signature, 'keybay-peer+jwt')
    const { recordKeys } = await info()
    const jwk = typeof jws?.header.kid === 'string' ? recordKeys.get(jws.header.kid) : undefined
    const key = jwk && getKey(jwk)
    const said = v.safeParse(claims, jws?.claims, { abortEarly: true })
    if (!jws || !key || !said.success || !isSignedBy(jws, key)) throw new RelayError('unauthorized')
    const { aud, bh, iat } = said.output
    const isRecent = Math.abs(iat - clock.now() / 1000) <= TOLERANCE
    if (aud !== party || said.output.re !== re || !isRecent) throw new RelayError('unauthorized')
    return body => {
      if (bh !== sha256(body)) throw new RelayError('unauthorized')
    }
  }
  const post = async (path: string, body: string, signature: string, requestId?: string): Promise<Response> => {
    const started = performance.now()
    let result = 'unreachable'
    try {
      const headers = {
        'content-type': 'application/json',
        'x-keybay-peer': signature,
        ...(requestId !== undefined && { 'x-request-id': requestId }),
      }
      const response = await reach(`${url}${path}`, { method: 'POST', headers, body })
      result = String(response.status)
      return response
    } finally {
      measure(started, { path, result })
    }
  }
  return {
    /** False for a single relay. */
    exists: url !== undefined,
    /** @throws RelayError `peer_unavailable` */
    info,
    verify,
    /** Forwards a call from R1. @throws the peer's own RelayError; `peer_unavailable` */
    async ask({ environment, path, rawBody, requestId, header }: Call, extra: unknown, mfa?: string): Promise<unknown> {
      const names = ['authorization', 'x-keybay-session', 'x-keybay-device']
      const headers = Object.fromEntries(names.flatMap(name => [[name, header(name)]]).filter(([, value]) => value))
      const body = JSON.stringify({ environmentId: environment.id, path, rawBody, headers, mfa, extra })
      return getAnswer(await post('/peer', body, sign(body), requestId), other)
    },
    /** Asks the peer about records. @param requestId ID of the request that it is asked for. @throws the peer's own RelayError; `peer_unavailable`, also for an unsigned answer */
    async compare<S extends v.GenericSchema>(
      path: string,
      question: object,
      schema: S,
      requestId?: string,
    ): Promise<v.InferOutput<S>> {
      const body = JSON.stringify(question)
      const signature = sign(body)
      const signed = v.safeParse(signedAnswer, await getAnswer(await post(path, body, signature, requestId), other))
      if (!signed.success) throw new RelayError('peer_unavailable')
      const { answer } = signed.output
      await verify(signed.output.signature, sha256(signature))
        .then(refuseOtherBytes => refuseOtherBytes(answer))
        .catch(() => {
          throw new RelayError('peer_unavailable')
        })
      const parsed = v.safeParse(schema, JSON.parse(answer))
      if (!parsed.success) throw new RelayError('peer_unavailable')
      return parsed.output
    },
    /** Signs the answer to a request of the peer. */
    signAnswer(value: unknown, requestSignature: string | undefined): v.InferOutput<typeof signedAnswer> {
      const answer = JSON.stringify(value)
      return { answer, signature: sign(answer, sha256(requestSignature ?? '')) }
    },
  }
}

async function getAnswer(response: Response, by: RelayParty): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const { success, output } = v.safeParse(failure, answer)
  if (!success || !isRelayErrorCode(output.code) || response.status >= 500) throw new RelayError('peer_unavailable')
  throw new RelayError(output.code, { ...output.details, by }, output.message)
}

async function reach(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw new RelayError('peer_unavailable')
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.ok) throw new RelayError('peer_unavailable')
  return response.text()
}
