import bs58 from 'bs58'
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../programs.js'
import { getDecimals, readMint, readTokenAccount, tokenAmount } from '../tokens.js'
import type { AccountState, Vm } from '../vm.js'
import { tokenExtensions } from './extensions.js'

export interface ParsedAccount {
  readonly program: string
  readonly parsed: { readonly type: string; readonly info: Readonly<Record<string, unknown>> }
  readonly space: number
}

/** Returns the `jsonParsed` form of an account; null for a program without one: the caller falls back to base64. */
export function parseAccount(vm: Vm, account: AccountState): ParsedAccount | null {
  const { owner, data } = account
  const space = data.length
  const token = readTokenAccount(account)
  const program = owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022'
  const extensions = tokenExtensions(data)
  if (token) {
    const decimals = getDecimals(vm, token.mint)
    const info = {
      ...(token.closeAuthority && { closeAuthority: token.closeAuthority }),
      ...(token.delegate && {
        delegate: token.delegate,
        delegatedAmount: tokenAmount(token.delegatedAmount, decimals),
      }),
      ...(extensions && { extensions }),
      isNative: token.rentExemptReserve !== null,
      mint: token.mint,
      owner: token.owner,
      ...(token.rentExemptReserve !== null && { rentExemptReserve: tokenAmount(token.rentExemptReserve, decimals) }),
      state: token.state,
      tokenAmount: tokenAmount(token.amount, decimals),
    }
    return { program, parsed: { type: 'account', info }, space }
  }
  const mint = readMint(account)
  if (mint) {
    const info = { ...mint, supply: mint.supply.toString(), ...(extensions && { extensions }) }
    return { program, parsed: { type: 'mint', info }, space }
  }
  if (owner === SYSTEM_PROGRAM) return parseNonce(data)
  if (owner === LOOKUP_TABLE_PROGRAM) return parseLookupTable(data)
  return null
}

/** Nonce accounts are 80 bytes: version, state, authority, nonce, lamports per signature. */
function parseNonce(data: Buffer): ParsedAccount | null {
  if (data.length !== 80 || data.readUInt32LE(4) !== 1) return null
  const info = {
    authority: bs58.encode(data.subarray(8, 40)),
    blockhash: bs58.encode(data.subarray(40, 72)),
    feeCalculator: { lamportsPerSignature: data.readBigUInt64LE(72).toString() },
  }
  return { program: 'nonce', parsed: { type: 'initialized', info }, space: data.length }
}

/** A lookup table is a header of 56 bytes and 32 bytes for each address. */
export const LOOKUP_TABLE_HEADER = 56

function parseLookupTable(data: Buffer): ParsedAccount | null {
  if (data.length < LOOKUP_TABLE_HEADER || data.readUInt32LE(0) !== 1) return null
  const addresses: string[] = []
  for (let at = LOOKUP_TABLE_HEADER; at + 32 <= data.length; at += 32)
    addresses.push(bs58.encode(data.subarray(at, at + 32)))
  const info = {
    addresses,
    ...(data[21] === 1 && { authority: bs58.encode(data.subarray(22, 54)) }),
    deactivationSlot: data.readBigUInt64LE(4).toString(),
    lastExtendedSlot: data.readBigUInt64LE(12).toString(),
    lastExtendedSlotStartIndex: data.readUInt8(20),
  }
  return { program: 'address-lookup-table', parsed: { type: 'lookupTable', info }, space: data.length }
}
