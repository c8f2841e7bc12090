import { type ErrorSpec, errorSpec, KeybayError } from '@keybay/kernel/spec'

/** What was to be signed by an Ethereum account is not what it says it is; the detail names the place, never the content. */
export const evmInvalid: ErrorSpec<'evm_invalid'> = /* @__PURE__ */ errorSpec(
  'evm_invalid',
  'Not something that an Ethereum account signs',
)

export function invalid(detail: string): KeybayError {
  return new KeybayError(evmInvalid, { detail })
}
