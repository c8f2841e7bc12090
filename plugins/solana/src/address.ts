import { KeybayError } from '@keybay/kernel'
import { addressInvalid } from '@keybay/kernel/spec'
import { base58Length } from './base58.js'

/** S5.4: 32–44 base58 characters; and they must decode to 32 bytes, as the chain demands. */
export const isAddress = (address: unknown): address is string =>
  typeof address === 'string' && address.length > 31 && address.length < 45 && base58Length(address) === 32

/** @throws KeybayError `address_invalid` */
export function checkAddress(address: unknown): asserts address is string {
  if (!isAddress(address)) throw new KeybayError(addressInvalid)
}
