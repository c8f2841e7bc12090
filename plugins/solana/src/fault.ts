/**
 * The kernel's errors and the kit's version, for the code that loads later. The plugin hands them over: were they imported there, a bundler
 * would tear them out of the page's first chunk into one of their own, which costs that chunk 310 bytes.
 */
import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, KeybayError } from '@keybay/kernel'

export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
  accountNotFound: ErrorSpec,
  version: string,
]
let errors: KernelErrors | undefined

/** Before anything else here. All instances of a page hand over the same. */
export function adoptErrors(given: KernelErrors): void {
  errors = given
}

function adopted(): KernelErrors {
  if (!errors) throw new Error('adoptErrors has not been called')
  return errors
}
/** A new KeybayError. */
export function fault(spec: ErrorSpec, facts?: ErrorFacts): KeybayError {
  return new (adopted()[0])(spec, facts)
}
/** Any thrown thing as a KeybayError; one stays itself. */
export function toFault(thrown: unknown, connectorId?: string): KeybayError {
  return adopted()[1](thrown, connectorId)
}

export function accountNotFound(): KeybayError {
  return fault(adopted()[2])
}
/** The kit's version, for the header that names it (S9.12). */
export function kitVersion(): string {
  return adopted()[3]
}
