import { type ErrorSpec, errorSpec, KeybayError } from '@keybay/kernel/spec'

/** The request cannot be signed by this Bitcoin account. The detail names the reason, never the content. */
export const psbtInvalid: ErrorSpec<'psbt_invalid'> = /* @__PURE__ */ errorSpec(
  'psbt_invalid',
  'Not a transaction that this account signs',
)

export function invalid(detail: string): KeybayError {
  return new KeybayError(psbtInvalid, { detail })
}
