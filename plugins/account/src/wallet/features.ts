import type { Connection } from '@keybay/kernel'

/** Account of the Wallet Standard. */
export type WalletAccount = Connection['accounts'][number]
