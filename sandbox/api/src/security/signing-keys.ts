/**
 * Signing keys of the environments, each derived from the service's own. A server that verifies tokens with the
 * published keys of one environment refuses those of every other, even if it forgets to check the audience.
 */
import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { createSigner, getThumbprint, type PublicJwk } from './jws.js'

/** RFC 9068 */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** Receipt for a second factor that was used up, for a service that did not request it itself. */
const MFA_RECEIPT_TYPE = 'keybay-mfa+jwt'
const OPERATOR_TYPE = 'keybay-operator+jwt'

/** Order of P-256 (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const KEY_BYTES = 32
/** 128 bits more than a key has, so that the remainder favors no key (FIPS 186-5, A.2.1). */
const DERIVED_BYTES = KEY_BYTES + 16

export interface SigningKeys {
  /** Signs the claims of an access token. */
  readonly signAccessToken: (claims: object) => string
  /** Signs a message of the operator to the relays. */
  readonly signOperatorMessage: (claims: object) => string
  readonly signMfaReceipt: (claims: object) => string
  /** Public keys by `kid`. */
  readonly verifying: ReadonlyMap<string, KeyObject>
  /** Public halves, as in RFC 7517. */
  readonly jwks: { readonly keys: readonly (PublicJwk & { readonly kid: string })[] }
}

/** @param d private half of a key, 32 bytes @throws Error for one that P-256 does not have, such as 0 */
export function getPublicJwk(d: Buffer): PublicJwk {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  // The byte 4, then both coordinates (SEC 1, 2.3.3).
  const point = pair.getPublicKey()
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 1 + KEY_BYTES).toString('base64url'),
    y: point.subarray(1 + KEY_BYTES).toString('base64url'),
  }
}

/** @param secret private half of the service's key, 32 bytes */
function deriveKey(secret: Buffer, environmentId: string) {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', `keybay/signing/${environmentId}`, DERIVED_BYTES))
  const scalar = (BigInt(`0x${derived.toString('hex')}`) % (ORDER - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(2 * KEY_BYTES, '0'), 'hex')
  const jwk = getPublicJwk(d)
  return {
    kid: getThumbprint(jwk),
    key: createPrivateKey({ key: { ...jwk, d: d.toString('base64url') }, format: 'jwk' }),
    publicKey: createPublicKey({ key: { ...jwk }, format: 'jwk' }),
    jwk,
  }
}

/**
 * Derives the keys of one environment.
 * @param secrets private halves of the service's keys, 32 bytes each: the first signs, all verify
 * @throws Error without a key
 */
export function deriveSigningKeys(secrets: readonly Buffer[], environmentId: string): SigningKeys {
  const keys = secrets.map(secret => deriveKey(secret, environmentId))
  const [signing] = keys
  if (!signing) throw new Error('api: there is no signing key')
  const { key, kid } = signing
  return {
    signAccessToken: createSigner(key, { typ: ACCESS_TOKEN_TYPE, kid }),
    signOperatorMessage: createSigner(key, { typ: OPERATOR_TYPE, kid }),
    signMfaReceipt: createSigner(key, { typ: MFA_RECEIPT_TYPE, kid }),
    verifying: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    jwks: { keys: keys.map(({ jwk, kid }) => ({ ...jwk, kid, alg: 'ES256', use: 'sig' })) },
  }
}
