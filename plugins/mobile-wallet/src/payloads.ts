/** The protocol's base64, and what a wallet gives back with it. */
import bs58 from 'bs58'

const KEY_BYTES = 32
export const SIGNATURE_BYTES = 64

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}
/** Wallets may answer in the form for addresses too. */
export function fromBase64(text: unknown): Uint8Array | undefined {
  try {
    if (typeof text !== 'string') return undefined
    const binary = atob(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/[=.]+$/, ''),
    )
    return Uint8Array.from(binary, character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
/** base64 of 32 bytes → base58 */
export function toAddress(text: unknown): string | undefined {
  const bytes = fromBase64(text)
  return bytes?.length === KEY_BYTES ? bs58.encode(bytes) : undefined
}

export function fromAddress(address: string): Uint8Array {
  return bs58.decode(address)
}

/** A signed message is the message and its signature behind it; some wallets leave the message out. */
export function readSignature(payload: unknown, message: Uint8Array): Uint8Array | undefined {
  const bytes = fromBase64(payload)
  if (!bytes) return undefined
  const before = bytes.subarray(0, -SIGNATURE_BYTES)
  const same = before.length === message.length && before.every((byte, index) => byte === message[index])
  return bytes.length >= SIGNATURE_BYTES && (same || !before.length) ? bytes.slice(-SIGNATURE_BYTES) : undefined
}
