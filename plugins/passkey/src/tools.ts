import type { AccountApi } from '@keybay/account'
import type { Kernel } from '@keybay/kernel'

export interface Tools {
  readonly kernel: Kernel<'account'>
  readonly account: AccountApi
  /** Aborts when the instance is disposed. */
  readonly disposal: AbortSignal
}
