/**
 * Envelope encryption: each secret is encrypted with its own data key, and the data key with a key-encryption key that
 * is not in the database. A new key-encryption key therefore needs new wrappings but no new ciphertexts. Bytes: 1 ‖ id
 * of the key-encryption key (8) ‖ iv (12) ‖ wrapped data key (32) ‖ tag (16) ‖ iv (12) ‖ ciphertext ‖ tag (16).
 */
import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { KekCommand } from './kek-command.js'

export interface Envelope {
  /** base64url. @param context what it is and whose: it opens for nothing else */
  seal(plain: Uint8Array, context: string): string
  /** @throws Error when it was sealed with an unknown key or for another context, or was changed */
  open(sealed: string, context: string): Uint8Array
  /** Returns the secret wrapped under the first key; undefined when it already is. */
  rewrap(sealed: string): string | undefined
}

/** Envelope whose key-encryption key may be elsewhere. An `Envelope` is one. */
export interface SecretEnvelope {
  /** base64url. @param context what it is and whose: it opens for nothing else */
  seal(plain: Uint8Array, context: string): string | Promise<string>
  /** @throws Error when it was sealed with an unknown key or for another context, or was changed */
  open(sealed: string, context: string): Uint8Array | Promise<Uint8Array>
  /** Returns the secret wrapped under the first key; undefined when it already is. */
  rewrap(sealed: string, context: string): string | undefined | Promise<string | undefined>
}

const VERSION = 1
/** As version 1, but a command has wrapped the data key: 2 ‖ id (8) ‖ length (2) ‖ wrapped data key ‖ … */
const COMMAND_VERSION = 2
const HEAD = 1 + 8
const WRAPPED = HEAD + 12 + 32 + 16
const TAG = 16

function encrypt(key: KeyObject, plain: Uint8Array, context: Uint8Array): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(context)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Returns the only copy of the plaintext: with GCM `update` returns all of it, and `final` checks the tag. */
function decrypt(key: KeyObject | Uint8Array, bytes: Uint8Array, context: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(context)
    .setAuthTag(bytes.subarray(bytes.length - TAG))
  const plain = decipher.update(bytes.subarray(12, bytes.length - TAG))
  try {
    decipher.final()
  } catch (error) {
    plain.fill(0)
    throw error
  }
  return plain
}

function keyId(bytes: Uint8Array): Buffer {
  return createHash('sha256').update('keybay-kek').update(bytes).digest().subarray(0, 8)
}

/** Data key of a secret, with the rest of it: iv, ciphertext and tag. */
interface Unwrapped {
  readonly dataKey: Uint8Array
  readonly body: Uint8Array
}

/** Encrypts with a new data key. */
async function sealWith(
  wrap: (dataKey: Uint8Array) => Promise<Buffer>,
  plain: Uint8Array,
  context: string,
): Promise<string> {
  const dataKey = randomBytes(32)
  try {
    const body = encrypt(createSecretKey(dataKey), plain, Buffer.from(context))
    return Buffer.concat([await wrap(dataKey), body]).toString('base64url')
  } finally {
    dataKey.fill(0)
  }
}

function openBody({ dataKey, body }: Unwrapped, context: string): Uint8Array {
  try {
    const { buffer, byteOffset, length } = decrypt(dataKey, body, Buffer.from(context))
    // Not a Buffer, whose `slice` does not copy.
    return new Uint8Array(buffer, byteOffset, length)
  } finally {
    dataKey.fill(0)
  }
}

function commandKeyId(keyId: string): Buffer {
  return createHash('sha256').update('keybay-kek-command').update(keyId).digest().subarray(0, 8)
}

/**
 * Seals under the key of a command, and opens what it or the keys sealed. No data key is kept: the command sees, and
 * can refuse, each use of a secret.
 * @param keys 32 bytes each, of before the command; may be none
 */
export function createCommandEnvelope(
  { keyIds, wrap, unwrap }: Pick<KekCommand, 'keyIds' | 'wrap' | 'unwrap'>,
  keys: readonly Uint8Array[],
): SecretEnvelope {
  const known = keyIds.map(keyId => ({ keyId, id: commandKeyId(keyId) }))
  const firstId = known[0]?.id ?? Buffer.alloc(0)
  const local = keys.length > 0 ? createEnvelope(keys) : undefined
  const wrapHead = async (dataKey: Uint8Array, context: string) => {
    const wrapped = await wrap(dataKey, context)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(wrapped.length)
    return Buffer.concat([Buffer.of(COMMAND_VERSION), firstId, length, wrapped])
  }
  const isOfCommand = (bytes: Buffer) => bytes[0] === COMMAND_VERSION
  const unwrapHead = async (bytes: Buffer, context: string): Promise<Unwrapped> => {
    const key = known.find(({ id }) => id.equals(bytes.subarray(1, HEAD)))
    if (!key || bytes.length < HEAD + 2) throw new Error('Sealed with a key-encryption key that is not here')
    const end = HEAD + 2 + bytes.readUInt16BE(HEAD)
    const dataKey = await unwrap(key.keyId, new Uint8Array(bytes.subarray(HEAD + 2, end)), context)
    return { dataKey, body: bytes.subarray(end) }
  }
  const unwrapAny = (bytes: Buffer, context: string) => {
    if (isOfCommand(bytes)) return unwrapHead(bytes, context)
    if (!local) throw new Error('Sealed with a key-encryption key that is not here')
    return local.unwrap(bytes)
  }
  return {
    seal: (plain, context) => sealWith(dataKey => wrapHead(dataKey, context), plain, context),
    async open(sealed, context) {
      return openBody(await unwrapAny(Buffer.from(sealed, 'base64url'), context), context)
    },
    async rewrap(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (isOfCommand(bytes) && firstId.equals(bytes.subarray(1, HEAD))) return undefined
      const { dataKey, body } = await unwrapAny(bytes, context)
      const again = Buffer.concat([await wrapHead(dataKey, context), body]).toString('base64url')
      dataKey.fill(0)
      return again
    },
  }
}

/** @param keys 32 bytes each: the first seals, all open */
export function createEnvelope(keys: readonly Uint8Array[]): Envelope & { unwrap(bytes: Buffer): Unwrapped } {
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
  const unwrap = (bytes: Buffer): Unwrapped => {
    const head = bytes.subarray(0, HEAD)
    const known = all.find(({ id }) => id.equals(head.subarray(1)))
    if (bytes[0] !== VERSION || !known || bytes.length < WRAPPED + 12 + TAG)
      throw new Error('Sealed with a key-encryption key that is not here')
    return { dataKey: decrypt(known.key, bytes.subarray(HEAD, WRAPPED), head), body: bytes.subarray(WRAPPED) }
  }
  return {
    unwrap,
    seal(plain, context) {
      const dataKey = randomBytes(32)
      const body = encrypt(createSecretKey(dataKey), plain, Buffer.from(context))
      const sealed = Buffer.concat([wrap(dataKey), body]).toString('base64url')
      dataKey.fill(0)
      return sealed
    },
    open: (sealed, context) => openBody(unwrap(Buffer.from(sealed, 'base64url')), context),
    rewrap(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (first.id.equals(bytes.subarray(1, HEAD))) return undefined
      const { dataKey, body } = unwrap(bytes)
      const again = Buffer.concat([wrap(dataKey), body]).toString('base64url')
      dataKey.fill(0)
      return again
    },
  }
}
