/**
 * Seals a share for storage: under a key of this browser that cannot be exported, and inside that under the password,
 * if there is one. The context is authenticated too, so that one record cannot replace another.
 */
import { toBase64Url, utf8 } from '@keybay/kernel/spec'
import { type Argon2id, checkKdf, KDF_FLOOR, type KdfParameters } from '@keybay/waas/mpc'
import { frameError } from '../errors/errors.js'

export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: Uint8Array<ArrayBuffer>
  /** Key derivation of the password. Absent without a password. */
  readonly password?: (KdfParameters & { readonly salt: Uint8Array; readonly iv: Uint8Array<ArrayBuffer> }) | undefined
}
/** Password, and the function that derives a key from it. */
export interface Lock {
  readonly password: string | undefined
  readonly argon2id: Argon2id
}

const IV_BYTES = 12
const SALT_BYTES = 16

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

/** @returns an AES-GCM key whose bytes no script can read */
export function newWrappingKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

async function passwordKey({ argon2id, password }: Lock, salt: Uint8Array, parameters: KdfParameters) {
  // Normalize as backups do, so that passwords that look the same when typed are the same.
  const bytes = copy(await argon2id(utf8((password ?? '').normalize('NFKC')), salt, parameters))
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  bytes.fill(0)
  return key
}

function aead(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: utf8(context) }
}

type Derivation = NonNullable<Sealed['password']>
/** Returns the data that the browser's key authenticates, derivation parameters included, so that they cannot be weakened. */
function outerContext(context: string, derivation: Derivation | undefined): string {
  if (!derivation) return context
  const { memoryKiB, iterations, parallelism, salt, iv } = derivation
  return JSON.stringify([context, memoryKiB, iterations, parallelism, toBase64Url(salt), toBase64Url(iv)])
}
/** Rejects derivation parameters below the minimum. @throws KeybayError `frame_share_unreadable` */
function checkDerivation(derivation: Derivation): void {
  try {
    checkKdf(derivation)
  } catch {
    throw frameError('frame_share_unreadable')
  }
}

/** @param context identifies the owner of the secret; opening requires the same context */
export async function seal(
  wrappingKey: CryptoKey,
  { secret, context, lock }: { readonly secret: Uint8Array; readonly context: string; readonly lock: Lock },
): Promise<Sealed> {
  const iv = random(IV_BYTES)
  if (lock.password === undefined) {
    const data = await crypto.subtle.encrypt(aead(iv, context), wrappingKey, copy(secret))
    return { iv, data: new Uint8Array(data) }
  }
  const salt = random(SALT_BYTES)
  const innerIv = random(IV_BYTES)
  const key = await passwordKey(lock, salt, KDF_FLOOR)
  const inner = await crypto.subtle.encrypt(aead(innerIv, context), key, copy(secret))
  const password = { ...KDF_FLOOR, salt, iv: innerIv }
  const data = await crypto.subtle.encrypt(aead(iv, outerContext(context, password)), wrappingKey, inner)
  return { iv, data: new Uint8Array(data), password }
}

/** @throws KeybayError `frame_password_missing`, `frame_password_wrong`, `frame_share_unreadable` */
export async function unseal(
  wrappingKey: CryptoKey,
  { sealed, context, lock }: { readonly sealed: Sealed; readonly context: string; readonly lock: Lock },
): Promise<Uint8Array> {
  if (sealed.password) checkDerivation(sealed.password)
  const outer = aead(sealed.iv, outerContext(context, sealed.password))
  const inner = await crypto.subtle.decrypt(outer, wrappingKey, sealed.data).catch(() => {
    throw frameError('frame_share_unreadable')
  })
  if (!sealed.password) return new Uint8Array(inner)
  if (lock.password === undefined) throw frameError('frame_password_missing')
  const { salt, iv, ...parameters } = sealed.password
  const key = await passwordKey(lock, salt, parameters)
  const secret = await crypto.subtle.decrypt(aead(iv, context), key, inner).catch(() => {
    throw frameError('frame_password_wrong')
  })
  return new Uint8Array(secret)
}
