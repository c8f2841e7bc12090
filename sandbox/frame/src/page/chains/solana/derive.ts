/** Derives the address of a wallet's usual (associated) token account. */
import { concatBytes, equalBytes, sha256, utf8 } from '@keybay/kernel/spec'
import bs58 from 'bs58'
import { ASSOCIATED } from './programs.js'
import type { TokenAccount } from './rpc.js'

const MARKER = utf8('ProgramDerivedAddress')
/** Last of the bytes that the derivation tries, from the first that gives an address without a key. */
const LAST_BUMP = 255

/** Returns true if the address is derived from this owner, token and program, whatever a node says about it. */
export async function isDerivedFrom(
  address: string,
  { owner, mint, program }: Omit<TokenAccount, 'amount'>,
): Promise<boolean> {
  const expected = bs58.decode(address)
  const seeds = [owner, program, mint].map(key => bs58.decode(key))
  const end = concatBytes(bs58.decode(ASSOCIATED), MARKER)
  for (let bump = LAST_BUMP; bump >= 0; bump -= 1)
    if (equalBytes(await sha256(concatBytes(...seeds, Uint8Array.of(bump), end)), expected)) return true
  return false
}
