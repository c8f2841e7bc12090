/** What the code that loads later works with. Types only. */
import type { AccountApi } from '@keybay/account'
import type * as kernel from '@keybay/kernel'
import type { ErrorSpec, Kernel } from '@keybay/kernel'

/** Handed over by the plugin: were they imported here, a bundler would tear them out of the page's first chunk. */
export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
  userRejected: ErrorSpec,
  aborted: ErrorSpec,
]
export interface Tools {
  readonly kernel: Kernel<'account'>
  readonly account: AccountApi
  /** Aborts when the instance is disposed. */
  readonly over: AbortSignal
  readonly errors: KernelErrors
}
