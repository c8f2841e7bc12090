import { useEmbeddedWallets } from './wallets.js'

export interface ReceiveAddressOptions {
  /** Balance of the address in the chain's smallest unit. Undefined while it loads. */
  readonly balance: bigint | undefined
  /** A wallet that holds more than this and has no current backup should not receive more. */
  readonly hideAbove: bigint
}
/** `loading`: show nothing yet. `hidden`: show why, and offer the backup. `shown`: show the address. */
export type ReceiveAddressStatus = 'loading' | 'hidden' | 'shown'

/**
 * Tells whether to show the address of a wallet on a page for receiving. Changes to `shown` when the wallet is backed up.
 * If the wallets cannot be loaded, the address is shown.
 *
 * @example
 * const { balance } = useBalance(address)
 * const status = useReceiveAddress(address, { balance, hideAbove: 1_000_000_000n })
 */
export function useReceiveAddress(address: string, options: ReceiveAddressOptions): ReceiveAddressStatus {
  const { balance, hideAbove } = options
  const { wallets, status } = useEmbeddedWallets()
  if (!wallets) return status === 'error' ? 'shown' : 'loading'
  const state = wallets.find(({ accountAddress }) => accountAddress === address)?.backup.state
  // Another browser may have made a backup that is `unverified` here.
  if (state !== 'none' && state !== 'stale') return 'shown'
  if (balance === undefined) return 'loading'
  return balance > hideAbove ? 'hidden' : 'shown'
}
