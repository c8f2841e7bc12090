/** Wallet before its last request to the relay. */
import type { KeyShare } from '@keybay/waas/mpc'

export interface MadeWallet {
  /** Shares of the device (first) and of the backup. The caller seals and erases them. */
  readonly shares: readonly KeyShare[]
  /** Sealed seed, which only the whole key can open. */
  readonly sealedSeed?: Uint8Array | undefined
  /** Last request, which creates the wallet. It may be retried unchanged. */
  readonly finish: { readonly path: string; readonly body: object }
  /** Time when the relay drops the ceremony, in ms since epoch. */
  readonly expiresAt: number
}
