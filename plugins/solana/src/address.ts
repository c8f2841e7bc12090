import { addressInvalid, KeybayError } from '@keybay/kernel/spec'
import bs58 from 'bs58'

const ADDRESS_BYTES = 32

/** S5.4: 32 to 44 base58 characters that decode to 32 bytes. */
export function isAddress(address: unknown): address is string {
  return (
    typeof address === 'string' && /^.{32,44}$/.test(address) && bs58.decodeUnsafe(address)?.length === ADDRESS_BYTES
  )
}
/** @throws KeybayError `address_invalid` */
export function checkAddress(address: unknown): asserts address is string {
  if (!isAddress(address)) throw new KeybayError(addressInvalid)
}
