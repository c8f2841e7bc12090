/** Addresses of taproot outputs: BIP 350 (bech32m), witness version 1. */
import { type ErrorSpec, KeybayError } from '@keybay/kernel/spec'
import { bech32m } from '@scure/base'
import { taprootOutputKey } from '../mpc/taproot.js'
import type { ShareSet } from '../mpc/types.js'

const PREFIX = 'bc'

/**
 * Returns the address on the main network; test networks write the same output differently. @example
 * taprootAddress(set) // bc1p…
 */
export function taprootAddress(set: ShareSet): string {
  return bech32m.encode(PREFIX, [1, ...bech32m.toWords(taprootOutputKey(set))])
}

/** Returns the output's key, 32 bytes. @throws KeybayError `psbt_invalid` for any other address */
export function taprootKeyOf(address: string): Uint8Array {
  const { prefix, words } = bech32m.decodeUnsafe(address) ?? { prefix: '', words: [] }
  const key = bech32m.fromWordsUnsafe(words.slice(1))
  if (prefix !== PREFIX || words[0] !== 1 || !(key instanceof Uint8Array) || key.length !== 32) throw invalid('address')
  return key
}

/** The request cannot be signed by this Bitcoin account. The detail names the reason, never the content. */
export const psbtInvalid: ErrorSpec<'psbt_invalid'> = {
  code: 'psbt_invalid',
  message: 'Not a transaction that this account signs',
}

export function invalid(detail: string): KeybayError {
  return new KeybayError(psbtInvalid, { detail })
}
