/** Bytes in Ethereum's notation: hexadecimal after `0x`. */
import * as spec from '@keybay/kernel/spec'
import { invalid } from './errors.js'

export function toHex(bytes: Uint8Array): string {
  return `0x${spec.toHex(bytes)}`
}

/** @param place named in the error. @throws KeybayError `evm_invalid` */
export function fromHex(text: string, place: string): Uint8Array {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) throw invalid(`${place}: hexadecimal`)
  return spec.fromHex(text.slice(2))
}
