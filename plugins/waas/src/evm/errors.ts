import { type ErrorSpec, KeybayError } from '@keybay/kernel/spec'

/** The request is not what it claims to be. The detail names the place, never the content. */
export const evmInvalid: ErrorSpec<'evm_invalid'> = {
  code: 'evm_invalid',
  message: 'Not something that an Ethereum account signs',
}

export function invalid(detail: string): KeybayError {
  return new KeybayError(evmInvalid, { detail })
}
