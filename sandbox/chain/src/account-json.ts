import bs58 from 'bs58'
import { parseAccount } from './parsed/accounts.js'
import { invalidRequest } from './rpc-error.js'
import type { AccountState, Vm } from './vm.js'
import { zstdFrame } from './zstd.js'

export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed'

export interface AccountFormat {
  readonly encoding: AccountEncoding
  readonly dataSlice?: { readonly offset: number; readonly length: number }
}

/** Base58 takes quadratic time in the length: a node refuses to encode more than this many bytes. */
const MAX_BASE58_DATA = 128

/** Returns an account in RPC form. @throws RpcError -32600 when the account is too large for base58 */
export function accountJson(vm: Vm, account: AccountState, format: AccountFormat): Record<string, unknown> {
  const { lamports, owner, executable, data } = account
  const rentEpoch = 2n ** 64n - 1n
  return { data: dataJson(vm, account, format), executable, lamports, owner, rentEpoch, space: data.length }
}

function dataJson(vm: Vm, account: AccountState, { encoding, dataSlice }: AccountFormat): unknown {
  if (encoding === 'jsonParsed') {
    const parsed = parseAccount(vm, account)
    if (parsed) return parsed
  }
  const data = dataSlice ? account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : account.data
  if (encoding === 'base64' || encoding === 'jsonParsed') return [data.toString('base64'), 'base64']
  if (encoding === 'base64+zstd') return [zstdFrame(data).toString('base64'), encoding]
  if (data.length > MAX_BASE58_DATA) {
    throw invalidRequest(
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_DATA} bytes, please use Base64 encoding.`,
    )
  }
  const text = bs58.encode(data)
  return encoding === 'binary' ? text : [text, encoding]
}
