/** The seed of an exportable Solana wallet, which shares cannot restore, sealed so that only the whole key opens it. */
import { gcm } from '@noble/ciphers/aes.js'
import { concatBytes, randomBytes } from '@noble/curves/utils.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { erase } from './bytes.js'
import { orFault, seedUnreadable } from './errors.js'

const NONCE = 12
/** Nonce, seed, tag. */
export const SEALED_SEED_BYTES: number = NONCE + 32 + 16

function getKey(scalar: Uint8Array, walletId: string): Uint8Array {
  return hkdf(sha256, scalar, undefined, utf8ToBytes(`keybay/seed/1/${walletId}`), 32)
}

/** AES-256-GCM under HKDF-SHA256(group scalar, wallet id): 60 bytes. */
export function sealSeed(seed: Uint8Array, scalar: Uint8Array, walletId: string): Uint8Array {
  const key = getKey(scalar, walletId)
  const nonce = randomBytes(NONCE)
  const sealed = concatBytes(nonce, gcm(key, nonce).encrypt(seed))
  erase(key)
  return sealed
}

/** @throws `mpc_seed_unreadable` */
export function openSeed(sealed: Uint8Array, scalar: Uint8Array, walletId: string): Uint8Array {
  const key = getKey(scalar, walletId)
  try {
    return orFault(() => gcm(key, sealed.subarray(0, NONCE)).decrypt(sealed.subarray(NONCE)), seedUnreadable, 'seed')
  } finally {
    erase(key)
  }
}
