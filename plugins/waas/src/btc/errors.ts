import { type ErrorSpec, KeybayError } from '@keybay/kernel/spec'

/** The request cannot be signed by this Bitcoin account. The detail names the reason, never the content. */
export const psbtInvalid: ErrorSpec<'psbt_invalid'> = {
  code: 'psbt_invalid',
  message: 'Not a transaction that this account signs',
}

export function invalid(detail: string): KeybayError {
  return new KeybayError(psbtInvalid, { detail })
}
