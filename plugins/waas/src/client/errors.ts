import { type ErrorSpec, KeybayError } from '@keybay/kernel/spec'

/** Creates an error of the connector `waas`. */
export function waasError(spec: ErrorSpec, detail?: string): KeybayError {
  return new KeybayError(spec, { connectorId: 'waas', ...(detail && { detail }) })
}

export const SIGN_IN_FIRST = 'sign in first'
