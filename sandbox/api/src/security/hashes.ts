/** Hashes values that must not be readable in a stolen database, and compares them in constant time. */
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url')
}

/** Returns whether two strings are equal, in a time that depends only on their lengths. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns 256 random bits, base64url; enough entropy for one fast hash at rest. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Computes keyed hashes: without the key, an attacker with the database could try all codes of 20 bits in a second. */
export class Hashes {
  readonly #hashKey: Uint8Array
  readonly #onHash: (() => void) | undefined
  readonly #derived = new Map<string, Buffer>()

  constructor(hashKey: Uint8Array, onHash?: () => void) {
    this.#hashKey = hashKey
    this.#onHash = onHash
  }

  /** Returns the base64url HMAC-SHA-256 with the key of this use. */
  keyed(use: string, ...parts: readonly string[]): string {
    this.#onHash?.()
    // JSON, so that two different lists of parts never give the same text.
    return createHmac('sha256', this.#key(use)).update(JSON.stringify(parts)).digest('base64url')
  }

  /** Checks a keyed hash; a missing hash takes as long and is never equal. */
  check(expected: string | null | undefined, use: string, ...parts: readonly string[]): boolean {
    const equal = sameText(this.keyed(use, ...parts), expected ?? ''.padEnd(43, '-'))
    return equal && expected !== undefined && expected !== null
  }

  /** Encrypts what is needed for minutes; the rest goes into the envelope. AES-256-GCM: iv ‖ tag ‖ ciphertext, base64url, bound to `context`. */
  seal(plain: Uint8Array, context: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key('seal'), iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** @throws Error if the value was sealed with another key or for another context */
  open(sealed: string, context: string): Buffer {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key('seal'), bytes.subarray(0, 12))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
  }

  /** Derives a separate key for each use, so that a hash for one use is never valid for another. */
  #key(use: string): Buffer {
    const key = this.#derived.get(use) ?? createHmac('sha256', this.#hashKey).update(`keybay/${use}`).digest()
    this.#derived.set(use, key)
    return key
  }
}
