import { type ErrorSpec, errorSpec, KeybayError } from '@keybay/kernel/spec'

/** What was to be signed by a Bitcoin account cannot be, or not by this one; the detail says why, never the content. */
export const psbtInvalid: ErrorSpec<'psbt_invalid'> = /* @__PURE__ */ errorSpec(
  'psbt_invalid',
  'Not a transaction that this account signs',
)

export function invalid(detail: string): KeybayError {
  return new KeybayError(psbtInvalid, { detail })
}
