/** The device key of a share set: P-256, not extractable. It signs every request to a relay. */
import { fromBase64Url, sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' }

/** `CryptoKey`, but declared without the name, which the types of Node do not have. */
export type DeviceKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export interface DeviceKeyPair {
  readonly privateKey: DeviceKey
  readonly publicKey: DeviceKey
}

/** A public P-256 JWK, as the relay takes it. */
export interface DevicePublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}

export function newDeviceKey(): Promise<DeviceKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
}

export async function publicJwk({ publicKey }: Pick<DeviceKeyPair, 'publicKey'>): Promise<DevicePublicKey> {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey)
  return { kty: 'EC', crv: 'P-256', x, y }
}

/** Returns the JWK thumbprint (RFC 7638). */
export async function thumbprint({ crv, kty, x, y }: DevicePublicKey): Promise<string> {
  return toBase64Url(await sha256(utf8(JSON.stringify({ crv, kty, x, y }))))
}

/** A compact JWS, ES256 (RFC 7515, RFC 7518 §3.4: WebCrypto's form of a signature is JWS's own). */
export async function signJws(key: DeviceKey, typ: string, claims: object, header: object = {}): Promise<string> {
  const encode = (value: object) => toBase64Url(utf8(JSON.stringify(value)))
  const signed = `${encode({ alg: 'ES256', typ, ...header })}.${encode(claims)}`
  const signature = await crypto.subtle.sign(SIGNATURE, key, utf8(signed))
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}

/** Returns the claims if one of the keys signed them as this type, else undefined. */
export async function verifyJws(text: string, typ: string, keys: readonly DevicePublicKey[]): Promise<unknown> {
  const [head = '', body = '', signature = '', ...rest] = text.split('.')
  const header: unknown = parseJson(head)
  if (rest.length || Reflect.get(Object(header), 'alg') !== 'ES256' || Reflect.get(Object(header), 'typ') !== typ)
    return undefined
  for (const jwk of keys) {
    const key = await crypto.subtle.importKey('jwk', { ...jwk }, ALGORITHM, false, ['verify'])
    if (await crypto.subtle.verify(SIGNATURE, key, decode(signature), utf8(`${head}.${body}`))) return parseJson(body)
  }
  return undefined
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64Url(text)
  } catch {
    return new Uint8Array()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(decode(text)))
  } catch {
    return undefined
  }
}
