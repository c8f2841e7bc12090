import type { AccountApi } from '@keybay/account'
import type { Kernel } from '@keybay/kernel'

/** Dependencies of the code that loads with the first call. */
export interface Tools {
  readonly kernel: Kernel<'account'>
  readonly account: AccountApi
  /** Aborts when the instance is disposed. */
  readonly disposal: AbortSignal
}
