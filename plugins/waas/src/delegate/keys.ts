/** The two keys of a delegate: one opens its shares, the other signs its requests. */
import { fromBase64Url, toBase64Url } from '@keybay/kernel/spec'
import { x25519 } from '@noble/curves/ed25519.js'
import type { SealingKeyPair } from '../mpc/index.js'
import type { DeviceKey, DevicePublicKey } from '../relay-client/device-key.js'

/** A P-256 private key as JWK (RFC 7518 §6.2). */
export interface DevicePrivateKey extends DevicePublicKey {
  readonly d: string
}
/** Both keys are secrets. Store them as JSON in the server's secret store. */
export interface DelegateKeys {
  /** X25519, base64url. */
  readonly sealingSecret: string
  readonly deviceKey: DevicePrivateKey
}
/** Public entry of a delegate in the relays' list. */
export interface DelegateListing {
  readonly name: string
  readonly sealingKey: string
  readonly deviceKey: DevicePublicKey
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

/** @example await secrets.put('keybay-delegate', JSON.stringify(await createDelegateKeys())) // once */
export async function createDelegateKeys(): Promise<DelegateKeys> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { sealingSecret: toBase64Url(x25519.utils.randomSecretKey()), deviceKey: { kty: 'EC', crv: 'P-256', x, y, d } }
}

/** @example console.info(JSON.stringify(listingOf('Salaries', keys))) // goes into the relays' `delegates` */
export function listingOf(name: string, { sealingSecret, deviceKey }: DelegateKeys): DelegateListing {
  const { kty, crv, x, y } = deviceKey
  const sealingKey = toBase64Url(x25519.getPublicKey(fromBase64Url(sealingSecret)))
  return { name, sealingKey, deviceKey: { kty, crv, x, y } }
}

/** Returns a copy that its user erases. */
export function getSealingPair({ sealingSecret }: DelegateKeys): SealingKeyPair {
  const secretKey = fromBase64Url(sealingSecret)
  return { secretKey, publicKey: x25519.getPublicKey(secretKey) }
}

export function getSigningKey({ deviceKey }: DelegateKeys): Promise<DeviceKey> {
  return crypto.subtle.importKey('jwk', { ...deviceKey }, ALGORITHM, false, ['sign'])
}
