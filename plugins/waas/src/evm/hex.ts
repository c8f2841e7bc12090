/** Bytes as Ethereum writes them. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { invalid } from './errors.js'

export function toHex(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`
}

/** @param place named in the error. @throws KeybayError `evm_invalid` */
export function fromHex(text: string, place: string): Uint8Array {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) throw invalid(`${place}: hexadecimal`)
  return hexToBytes(text.slice(2))
}
