import bs58 from 'bs58'
import { parseAccount } from './parsed/accounts.js'
import { invalidRequest } from './rpc-error.js'
import type { AccountState, Vm } from './vm.js'

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

const ZSTD_MAGIC = 0xfd2fb528
/** RFC 8878 §3.1.1.1.1: single segment, four bytes of content size. */
const ZSTD_DESCRIPTOR = 0b1010_0000
const MAX_ZSTD_BLOCK = 128 * 1024

/** Returns a zstd frame of raw blocks (RFC 8878 §3.1.1.2.2), which every decoder reads: Node 20 has no zstd. */
function zstdFrame(data: Uint8Array): Buffer {
  const header = Buffer.alloc(9)
  header.writeUInt32LE(ZSTD_MAGIC, 0)
  header.writeUInt8(ZSTD_DESCRIPTOR, 4)
  header.writeUInt32LE(data.length, 5)
  const parts: Uint8Array[] = [header]
  let offset = 0
  do {
    const block = data.subarray(offset, offset + MAX_ZSTD_BLOCK)
    offset += block.length
    const last = offset >= data.length ? 1 : 0
    const blockHeader = Buffer.alloc(3)
    blockHeader.writeUIntLE((block.length << 3) | last, 0, 3)
    parts.push(blockHeader, block)
  } while (offset < data.length)
  return Buffer.concat(parts)
}
