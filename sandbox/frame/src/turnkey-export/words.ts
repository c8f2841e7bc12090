/** Derives Solana keys from recovery words: the seed of BIP-39, then SLIP-10 on Ed25519. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha512 } from '@noble/hashes/sha2.js'

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text.normalize('NFKD'))
}
const HARDENED = 0x8000_0000

/** Returns the input of one derivation step: the key, followed by the hardened index. */
function getStep(key: Uint8Array, index: number): Uint8Array {
  const bytes = new Uint8Array(37)
  bytes.set(key, 1)
  new DataView(bytes.buffer).setUint32(33, index + HARDENED)
  return bytes
}

/**
 * @param path hardened in every step, e.g. `m/44'/501'/0'/0'`
 * @returns the public key, 32 bytes
 */
export async function keyOfWords(words: string, path: string): Promise<Uint8Array> {
  const seed = await pbkdf2Async(sha512, utf8(words), utf8('mnemonic'), { c: 2048, dkLen: 64 })
  let node = hmac(sha512, utf8('ed25519 seed'), seed)
  for (const [index = ''] of path.matchAll(/\d+/g))
    node = hmac(sha512, node.subarray(32), getStep(node.subarray(0, 32), Number(index)))
  return ed25519.getPublicKey(node.subarray(0, 32))
}
