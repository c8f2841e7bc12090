/** Reads private keys in base58, as the number list of a key file, or in hexadecimal. */
import { addressOfSeed, erase, readSolanaKey } from '@keybay/waas/mpc'

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256
}

/** @returns bytes, or the text unchanged, which is then base58 or invalid */
function readKeyText(text: string): string | Uint8Array {
  const trimmed = text.trim()
  if (/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(trimmed))
    return Uint8Array.from(trimmed.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  if (!trimmed.startsWith('[') || trimmed.length > 1000) return trimmed
  try {
    const numbers: unknown = JSON.parse(trimmed)
    return Array.isArray(numbers) && numbers.every(isByte) ? Uint8Array.from(numbers) : trimmed
  } catch {
    return trimmed
  }
}

/** Returns the 32-byte seed. The caller erases it. @throws KeybayError `mpc_key_malformed`, `mpc_key_halves_differ` */
export function readSeed(text: string): Uint8Array {
  const key = readKeyText(text)
  try {
    return readSolanaKey(key)
  } finally {
    if (typeof key !== 'string') erase(key)
  }
}

/** Returns the Solana address of a private key. @throws KeybayError as `readSeed` */
export function addressOfKey(text: string): string {
  const seed = readSeed(text)
  try {
    return addressOfSeed(seed)
  } finally {
    erase(seed)
  }
}

/** Pattern of 32 bytes in base58. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/**
 * Returns a reader for text that a user enters. A seed in base58 looks like an address, which users paste by mistake:
 * the reader throws an Error that says so, and accepts the same text the second time.
 * @throws as `readSeed`
 */
export function typedSeedReader(): (text: string) => Uint8Array {
  let warned: string | undefined
  return text => {
    const trimmed = text.trim()
    const seed = readSeed(trimmed)
    if (!ADDRESS.test(trimmed) || trimmed === warned) return seed
    erase(seed)
    warned = trimmed
    throw new Error(
      'This looks like an address, and an address is no key. If it is a 32-byte seed, choose Import again.',
    )
  }
}
