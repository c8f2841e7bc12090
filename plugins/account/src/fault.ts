/**
 * What the code that loads later needs of the kernel. The plugin hands it over: were it imported there, a bundler would
 * tear it out of the page's first chunk into one of its own, which costs that chunk 310 bytes.
 */
import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, KeybayError } from '@keybay/kernel'
import type { createHttp } from '@keybay/kernel/http'

export interface KernelParts {
  readonly KeybayError: typeof kernel.KeybayError
  readonly toKeybayError: typeof kernel.toKeybayError
  readonly createHttp: typeof createHttp
  readonly requestFailed: ErrorSpec
  readonly sessionMissing: ErrorSpec
  readonly userRejected: ErrorSpec
  readonly accountNotFound: ErrorSpec
  readonly signMessageMissing: ErrorSpec
}
let parts: KernelParts | undefined

/** Before anything else here. All instances of a page hand over the same. */
export function adoptParts(given: KernelParts): void {
  parts = given
}

function adopted(): KernelParts {
  if (!parts) throw new Error('adoptParts has not been called')
  return parts
}
/** A new KeybayError. */
export function fault(spec: ErrorSpec, facts?: ErrorFacts): KeybayError {
  return new (adopted().KeybayError)(spec, facts)
}
/** Any thrown thing as a KeybayError; one stays itself. */
export function toFault(thrown: unknown, connectorId?: string): KeybayError {
  return adopted().toKeybayError(thrown, connectorId)
}
/** One of the kernel's own errors, by its name there. */
export function kernelFault(
  name: Exclude<keyof KernelParts, 'KeybayError' | 'toKeybayError' | 'createHttp'>,
  facts?: ErrorFacts,
): KeybayError {
  return fault(adopted()[name], facts)
}
