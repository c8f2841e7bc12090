import { KeybayError } from '@keybay/kernel'
import { addressInvalid } from '@keybay/kernel/spec'
import { isAddress } from './base58.js'

/** @throws KeybayError `address_invalid` */
export function checkAddress(address: unknown): asserts address is string {
  if (!isAddress(address)) throw new KeybayError(addressInvalid)
}
