/**
 * The kernel's errors, for code that loads later. Whoever starts it hands them over: were they imported here, a bundler
 * would tear them out of the page's first chunk into one of their own, which costs that chunk 310 bytes.
 */
import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, KeybayError } from '@keybay/kernel'

export type ProtocolErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
]
let errors: ProtocolErrors | undefined

/**
 * Before anything else of the protocol, on both sides. Everybody in one page hands over the same.
 *
 * @example adoptErrors([KeybayError, toKeybayError])
 */
export function adoptErrors(given: ProtocolErrors): void {
  errors = given
}

function adopted(): ProtocolErrors {
  if (!errors) throw new Error('adoptErrors has not been called')
  return errors
}
/** A new KeybayError. */
export function fault(spec: ErrorSpec, facts?: ErrorFacts): KeybayError {
  return new (adopted()[0])(spec, facts)
}
/** Any thrown thing as a KeybayError; one stays itself. */
export function toFault(thrown: unknown): KeybayError {
  return adopted()[1](thrown)
}
