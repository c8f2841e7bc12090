/** A Solana secret key as people have it: 64 bytes (seed ‖ address), the 32-byte seed, or base58 of either. */
import { equalBytes } from '@keybay/kernel/spec'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { copyOf, erase } from './bytes.js'
import { fault, keyHalvesDiffer, keyMalformed, orFault } from './errors.js'
import { groupKey } from './set.js'
import type { ShareSet } from './types.js'

/**
 * The seed, 32 bytes, as a copy: the caller erases both. A base58 text cannot be erased, so bytes are better.
 * @throws `mpc_key_malformed`; `mpc_key_halves_differ` for 64 bytes whose halves do not belong together.
 * @example dealImported(plan, readSolanaKey(bytes))
 */
export function readSolanaKey(key: string | Uint8Array): Uint8Array {
  // 88 characters hold 64 bytes; a longer text would only cost time.
  if (typeof key === 'string' && key.length > 88) throw fault(keyMalformed, 'import')
  const bytes = typeof key === 'string' ? orFault(() => bs58.decode(key), keyMalformed, 'import') : copyOf(key)
  try {
    if (bytes.length !== 32 && bytes.length !== 64) throw fault(keyMalformed, 'import')
    const seed = copyOf(bytes, 0, 32)
    if (bytes.length === 64 && !equalBytes(ed25519.getPublicKey(seed), bytes.subarray(32))) {
      erase(seed)
      throw fault(keyHalvesDiffer, 'import')
    }
    return seed
  } finally {
    erase(bytes)
  }
}

/** Base58 of a 64-byte key. The text cannot be erased: make it only to show it. */
export function encodeSolanaKey(key: Uint8Array): string {
  return bs58.encode(key)
}

/** Base58 of a 32-byte seed's public key. */
export function addressOfSeed(seed: Uint8Array): string {
  return bs58.encode(ed25519.getPublicKey(seed))
}

/** Base58 of the group key. */
export function solanaAddress(set: ShareSet): string {
  return bs58.encode(groupKey(set))
}
