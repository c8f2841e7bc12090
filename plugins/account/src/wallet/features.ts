import type { Connection } from '@keybay/kernel'

/** The Wallet Standard's account. */
export type WalletAccount = Connection['accounts'][number]
