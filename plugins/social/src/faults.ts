/**
 * Errors of one connector. The kernel's own come by the plugin: were they imported by the code that loads later, a bundler would
 * tear them out of the page's first chunk.
 */
import type * as kernel from '@keybay/kernel'
import type { ErrorSpec, KeybayError } from '@keybay/kernel'
import { withValues } from '@keybay/kernel/spec'

export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  aborted: ErrorSpec,
  redirectUnexpected: ErrorSpec,
]
/** @param values of the places in the message, besides `{provider}` */
export type Fail = (error: ErrorSpec, cause?: unknown, values?: Readonly<Record<string, string>>) => KeybayError

export function createFail([KeybayError]: KernelErrors, provider: string): Fail {
  return (error, cause, values) =>
    new KeybayError(withValues(error, { provider, ...values }), { cause, connectorId: `social:${provider}` })
}
