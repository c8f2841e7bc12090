/** Token accounts of a wallet, as parsed by the node. */
import { addressInvalid, KeybayError } from '@keybay/kernel/spec'
import { isAddress } from './address.js'
import type { Client } from './client.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs/addresses.js'
import { getTokenAccountsByOwner } from './rpc/calls.js'
import { at, toBigint, toNumber, toText } from './rpc/read.js'
import type { CallOptions, TokenAccount } from './steps.js'

/** @param entry `{ pubkey, account }` with jsonParsed data. @throws KeybayError `rpc_malformed` */
export function readParsedToken(entry: unknown): TokenAccount {
  const info = at(entry, 'account', 'data', 'parsed', 'info')
  return {
    address: toText(at(entry, 'pubkey'), 'pubkey'),
    mint: toText(at(info, 'mint'), 'mint'),
    program: toText(at(entry, 'account', 'owner'), 'owner'),
    amount: toBigint(at(info, 'tokenAmount', 'amount'), 'amount'),
    decimals: toNumber(at(info, 'tokenAmount', 'decimals'), 'decimals'),
    frozen: at(info, 'state') === 'frozen',
  }
}
/** Returns SPL Token accounts first; includes empty accounts. @throws KeybayError `address_invalid` */
export async function getTokenAccounts(
  { rpc }: Client,
  owner: string,
  options: CallOptions,
): Promise<readonly TokenAccount[]> {
  if (!isAddress(owner)) throw new KeybayError(addressInvalid)
  const lists = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(programId => getTokenAccountsByOwner(rpc, owner, { programId }, options)),
  )
  return lists.flat().map(readParsedToken)
}
