/** Real Ed25519 keys from WebCrypto, so a mock's signatures verify. */

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Encodes the bytes as one base58 number; each leading zero byte becomes a leading `1`. */
export function base58(bytes: Uint8Array): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = ALPHABET.charAt(Number(rest % 58n)) + text
  const zeros = bytes.findIndex(byte => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

export interface SigningKey {
  /** Base58, as Solana writes addresses. */
  readonly address: string
  /** 32 bytes */
  readonly publicKey: Uint8Array
  /** @returns 64 bytes */
  sign(message: Uint8Array): Promise<Uint8Array>
}

/** Creates a random key that can't be exported. */
export async function createSigningKey(): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError('Ed25519 is a pair of keys')
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return {
    address: base58(publicKey),
    publicKey,
    sign: async message =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, Uint8Array.from(message))),
  }
}

/**
 * Returns true if `signature` is the key's signature over `message` (RFC 8032), false also for an invalid key or
 * signature.
 */
export async function verifies(
  publicKey: Iterable<number>,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message))
  } catch {
    return false
  }
}
