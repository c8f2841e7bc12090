/**
 * Envelope encryption: each secret is encrypted with its own data key, and the data key with a key-encryption key that
 * is not in the database. A new key-encryption key therefore needs new wrappings but no new ciphertexts. Bytes: 1 ‖ id
 * of the key-encryption key (8) ‖ iv (12) ‖ wrapped data key (32) ‖ tag (16) ‖ iv (12) ‖ ciphertext ‖ tag (16).
 */
import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

export interface Envelope {
  /** base64url. @param context what it is and whose: it opens for nothing else */
  seal(plain: Uint8Array, context: string): string
  /** @throws Error when it was sealed with an unknown key or for another context, or was changed */
  open(sealed: string, context: string): Uint8Array
  /** Returns the secret wrapped under the first key; undefined when it already is. */
  rewrap(sealed: string): string | undefined
}

const VERSION = 1
const HEAD = 1 + 8
const WRAPPED = HEAD + 12 + 32 + 16
const TAG = 16

function encrypt(key: KeyObject, plain: Uint8Array, context: Uint8Array): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(context)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, bytes: Uint8Array, context: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(context)
    .setAuthTag(bytes.subarray(bytes.length - TAG))
  return Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - TAG)), decipher.final()])
}

function keyId(bytes: Uint8Array): Buffer {
  return createHash('sha256').update('keybay-kek').update(bytes).digest().subarray(0, 8)
}

/** @param keys 32 bytes each: the first seals, all open */
export function createEnvelope(keys: readonly Uint8Array[]): Envelope {
  const all = keys.map(bytes => {
    if (bytes.length !== 32) throw new Error('A key-encryption key is 32 bytes')
    return { id: keyId(bytes), key: createSecretKey(bytes) }
  })
  const [first] = all
  if (!first) throw new Error('There is no key-encryption key')
  const wrap = (dataKey: Uint8Array): Buffer => {
    const head = Buffer.concat([Buffer.of(VERSION), first.id])
    return Buffer.concat([head, encrypt(first.key, dataKey, head)])
  }
  const unwrap = (bytes: Buffer): Buffer => {
    const head = bytes.subarray(0, HEAD)
    const known = all.find(({ id }) => id.equals(head.subarray(1)))
    if (bytes[0] !== VERSION || !known || bytes.length < WRAPPED + 12 + TAG)
      throw new Error('Sealed with a key-encryption key that is not here')
    return decrypt(known.key, bytes.subarray(HEAD, WRAPPED), head)
  }
  return {
    seal(plain, context) {
      const dataKey = randomBytes(32)
      const body = encrypt(createSecretKey(dataKey), plain, Buffer.from(context))
      const sealed = Buffer.concat([wrap(dataKey), body]).toString('base64url')
      dataKey.fill(0)
      return sealed
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url')
      const dataKey = unwrap(bytes)
      const plain = decrypt(createSecretKey(dataKey), bytes.subarray(WRAPPED), Buffer.from(context))
      dataKey.fill(0)
      // Not a Buffer, whose `slice` does not copy.
      const copy = new Uint8Array(plain)
      plain.fill(0)
      return copy
    },
    rewrap(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (first.id.equals(bytes.subarray(1, HEAD))) return undefined
      const dataKey = unwrap(bytes)
      const again = Buffer.concat([wrap(dataKey), bytes.subarray(WRAPPED)]).toString('base64url')
      dataKey.fill(0)
      return again
    },
  }
}
