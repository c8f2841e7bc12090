/** A Solana secret key in its usual forms: 64 bytes (seed ‖ address), the 32-byte seed, or base58 of either. */
import { equalBytes } from '@keybay/kernel/spec'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { createCopy, erase } from './bytes.js'
import { fault, keyHalvesDiffer, keyMalformed, orFault } from './errors.js'
import { groupKey } from './set.js'
import type { ShareSet } from './types.js'

/**
 * Returns a copy of the seed, 32 bytes; the caller erases both. A base58 text cannot be erased, so prefer bytes.
 * @throws `mpc_key_malformed`; `mpc_key_halves_differ` for 64 bytes whose halves do not match.
 * @example dealImported(plan, readSolanaKey(bytes))
 */
export function readSolanaKey(key: string | Uint8Array): Uint8Array {
  // 88 characters hold 64 bytes; decoding a longer text would only cost time.
  if (typeof key === 'string' && key.length > 88) throw fault(keyMalformed, 'import')
  const bytes = typeof key === 'string' ? orFault(() => bs58.decode(key), keyMalformed, 'import') : createCopy(key)
  try {
    if (bytes.length !== 32 && bytes.length !== 64) throw fault(keyMalformed, 'import')
    const seed = createCopy(bytes, 0, 32)
    if (bytes.length === 64 && !equalBytes(ed25519.getPublicKey(seed), bytes.subarray(32))) {
      erase(seed)
      throw fault(keyHalvesDiffer, 'import')
    }
    return seed
  } finally {
    erase(bytes)
  }
}

/** Returns base58 of a 64-byte key. The text cannot be erased: create it only to show it. */
export function encodeSolanaKey(key: Uint8Array): string {
  return bs58.encode(key)
}

/** Returns base58 of the public key of a 32-byte seed. */
export function addressOfSeed(seed: Uint8Array): string {
  return bs58.encode(ed25519.getPublicKey(seed))
}

/** Returns base58 of the group key. */
export function solanaAddress(set: ShareSet): string {
  return bs58.encode(groupKey(set))
}
