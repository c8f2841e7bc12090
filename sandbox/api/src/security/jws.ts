/** ES256 compact JWS (RFC 7515) with Node's own crypto: jose's threads and key imports cost more than the signature. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import * as v from 'valibot'

/** Public half of a P-256 key (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}

const SIGNATURE_CHARACTERS = 86
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/

const header = v.looseObject({
  alg: v.literal('ES256'),
  typ: v.string(),
  kid: v.optional(v.string()),
  /** Extensions that must be understood; none is supported (RFC 7515 §4.1.11). */
  crit: v.optional(v.never()),
})

/** Parsed JWS; trust none of its fields before {@link Jws.verifiedBy}. */
export interface Jws {
  readonly kid: string | undefined
  readonly jwk: unknown
  readonly payload: unknown
  /** Returns whether the header is that of an ES256 signature of this type and the signature is the key's. */
  verifiedBy(key: KeyObject, typ: string): boolean
}

function fromBase64url(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

export function readJws(token: string): Jws | undefined {
  const [, head = '', body = '', signature = ''] = PARTS.exec(token) ?? []
  try {
    const raw = v.parse(v.looseObject({}), fromBase64url(head))
    const parsed = v.safeParse(header, raw)
    return {
      kid: parsed.success ? parsed.output.kid : undefined,
      jwk: raw.jwk,
      payload: fromBase64url(body),
      verifiedBy: (key, typ) =>
        parsed.success &&
        parsed.output.typ === typ &&
        signature.length === SIGNATURE_CHARACTERS &&
        verify(
          'sha256',
          Buffer.from(`${head}.${body}`),
          { key, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'base64url'),
        ),
    }
  } catch {
    return undefined
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Returns a signer with a fixed header. */
export function createSigner(key: KeyObject, header: object): (claims: object) => string {
  const head = encode({ alg: 'ES256', ...header })
  return claims => {
    const signed = `${head}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
}

/** Returns the RFC 7638 thumbprint. */
export function getThumbprint({ crv, kty, x, y }: PublicJwk): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/** Public key that was already imported. */
export interface ImportedKey {
  readonly key: KeyObject
  readonly thumbprint: string
}

/** Maximum number of cached keys; the most recently used ones stay. */
const MAX_KEYS = 4_096

/** Imports public keys and caches the last ones. @throws Error for a point that is not on the curve */
export function createKeyCache(): (jwk: PublicJwk) => ImportedKey {
  const cache = new Map<string, ImportedKey>()
  return jwk => {
    const id = `${jwk.x}.${jwk.y}`
    const known = cache.get(id)
    // A map keeps insertion order: move used keys to the end, and evict from the front.
    if (known) cache.delete(id)
    const { kty, crv, x, y } = jwk
    const imported = known ?? {
      key: createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }),
      thumbprint: getThumbprint(jwk),
    }
    cache.set(id, imported)
    const [oldest] = cache.keys()
    if (cache.size > MAX_KEYS && oldest !== undefined) cache.delete(oldest)
    return imported
  }
}
