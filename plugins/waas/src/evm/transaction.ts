/** Reads unsigned transactions: EIP-1559, and legacy ones with EIP-155's replay protection. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { checksummed, invalid } from './address.js'
import { decodeRlp, encodeRlp, type Item, integerBytes, readInteger } from './rlp.js'

export interface EvmTransaction {
  readonly type: 'legacy' | 'eip1559'
  readonly chainId: bigint
  readonly nonce: bigint
  /** Undefined: it creates a contract. */
  readonly to: string | undefined
  /** wei */
  readonly value: bigint
  readonly data: Uint8Array
  readonly gasLimit: bigint
  /** Maximum wei per unit of gas. */
  readonly maxFeePerGas: bigint
  /** Number of addresses in the access list. */
  readonly accessList: number
  /** Keccak-256 of the signed bytes, 32 bytes. */
  readonly digest: Uint8Array
  /** Returns the signed encoding. @param signature r ‖ s ‖ v (27 or 28) */
  readonly withSignature: (signature: Uint8Array) => Uint8Array
}

const U64 = 2n ** 64n - 1n
const U256 = 2n ** 256n - 1n
/** EIP-2294: the largest chain id for which `v` is a safe number everywhere. */
const MAX_CHAIN = 2n ** 53n / 2n - 36n
const EIP1559 = Uint8Array.of(2)

function readBytes(item: Item | undefined, place: string): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw invalid(place)
}

function target(item: Item | undefined): string | undefined {
  const bytes = readBytes(item, 'to')
  if (bytes.length !== 0 && bytes.length !== 20) throw invalid('to')
  return bytes.length === 0 ? undefined : checksummed(bytes)
}

function getAccess(item: Item | undefined): number {
  if (item === undefined || item instanceof Uint8Array) throw invalid('accessList')
  for (const entry of item) {
    if (entry instanceof Uint8Array || entry.length !== 2) throw invalid('accessList')
    const [address, keys] = entry
    if (readBytes(address, 'accessList').length !== 20 || keys === undefined || keys instanceof Uint8Array)
      throw invalid('accessList')
    if (keys.some(key => readBytes(key, 'accessList').length !== 32)) throw invalid('accessList')
  }
  return item.length
}

function chainOf(item: Item | undefined): bigint {
  const chainId = readInteger(item, 'chainId', MAX_CHAIN)
  if (chainId === 0n) throw invalid('chainId')
  return chainId
}

function parts(signature: Uint8Array) {
  return {
    parity: BigInt(signature[64] ?? 0) - 27n,
    r: integerBytes(readInteger(trimmed(signature.subarray(0, 32)), 'r', U256)),
    s: integerBytes(readInteger(trimmed(signature.subarray(32, 64)), 's', U256)),
  }
}

function trimmed(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.findIndex(byte => byte !== 0))
}

type CallFields = Readonly<Record<'nonce' | 'gas' | 'to' | 'value' | 'data', Item | undefined>>

/** Reads the fields that both types of transaction have. */
function readCall({ nonce, gas, to, value, data }: CallFields) {
  return {
    nonce: readInteger(nonce, 'nonce', U64),
    to: target(to),
    value: readInteger(value, 'value', U256),
    data: readBytes(data, 'data'),
    gasLimit: readInteger(gas, 'gasLimit', U64),
  }
}

function eip1559(bytes: Uint8Array, fields: readonly Item[]): EvmTransaction {
  if (fields.length !== 9) throw invalid('fields')
  const [chain, nonce, tip, fee, gas, to, value, data, access] = fields
  const maxFeePerGas = readInteger(fee, 'maxFeePerGas', U256)
  if (readInteger(tip, 'maxPriorityFeePerGas', U256) > maxFeePerGas) throw invalid('maxPriorityFeePerGas')
  return {
    type: 'eip1559',
    chainId: chainOf(chain),
    ...readCall({ nonce, gas, to, value, data }),
    maxFeePerGas,
    accessList: getAccess(access),
    digest: keccak_256(bytes),
    withSignature: signature => {
      const { parity, r, s } = parts(signature)
      return concatBytes(EIP1559, encodeRlp([...fields, integerBytes(parity), r, s]))
    },
  }
}

function legacy(bytes: Uint8Array, fields: readonly Item[]): EvmTransaction {
  // A transaction of six fields would be valid on every chain.
  if (fields.length !== 9) throw invalid('fields')
  const [nonce, price, gas, to, value, data, chain, zero, none] = fields
  if (readBytes(zero, 'v').length > 0 || readBytes(none, 'v').length > 0) throw invalid('v')
  const chainId = chainOf(chain)
  return {
    type: 'legacy',
    chainId,
    ...readCall({ nonce, gas, to, value, data }),
    maxFeePerGas: readInteger(price, 'gasPrice', U256),
    accessList: 0,
    digest: keccak_256(bytes),
    withSignature: signature => {
      const { parity, r, s } = parts(signature)
      return encodeRlp([...fields.slice(0, 6), integerBytes(chainId * 2n + 35n + parity), r, s])
    },
  }
}

/**
 * Reads an unsigned transaction from the bytes to hash.
 * @throws KeybayError `evm_invalid`: another type, a signed one, one without a chain id, or not canonical
 * @example readEvmTransaction(bytes).to // 0x…
 */
export function readEvmTransaction(bytes: Uint8Array): EvmTransaction {
  const isTyped = bytes[0] === EIP1559[0]
  const item = decodeRlp(isTyped ? bytes.subarray(1) : bytes)
  if (item instanceof Uint8Array) throw invalid('transaction')
  const transaction = isTyped ? eip1559(bytes, item) : legacy(bytes, item)
  if (transaction.to === undefined && transaction.data.length === 0) throw invalid('to')
  return transaction
}
