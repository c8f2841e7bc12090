/** A wallet before its last request to the relay. */
import type { KeyShare } from '@keybay/waas/mpc'

export interface MadeWallet {
  /** Shares of the device, first, and of the backup. The caller seals and erases them. */
  readonly shares: readonly KeyShare[]
  /** Opened by a whole key only. */
  readonly sealedSeed?: Uint8Array | undefined
  /** The last request, which makes the wallet. It may be repeated as it is. */
  readonly finish: { readonly path: string; readonly body: object }
  /** ms since epoch; the relay forgets the ceremony then. */
  readonly expiresAt: number
}
