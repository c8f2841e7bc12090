import { backupMessages, type LazyView, Loading, lazyView, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement, ReactNode } from 'react'
import { useEmbeddedWallets, useReceiveAddress } from '../react/index.js'
import type { BackUpFirstProps } from './back-up-first.js'
import { BackupNudge } from './backup-nudge.js'
import type { WalletSlots } from './slots.js'

export interface BackupGateProps {
  /** Address of an embedded wallet. */
  readonly address: string
  /** Balance in the chain's smallest unit. Undefined while it loads; pass `0n` if it is unknown, so that the address shows. */
  readonly balance: bigint | undefined
  /** A wallet without a current backup that holds more does not show its address. */
  readonly hideAbove: bigint
  /** `hideAbove` as the user reads it, e.g. `1 SOL`. */
  readonly limit: string
  readonly slots?: WalletSlots | undefined
  /** Shows the address. */
  readonly children: ReactNode
}

/**
 * Stands in the place of an address that shows after the backup, and offers it. `BackupGate` decides when.
 *
 * @example <BackUpFirst wallet={wallet} limit="1 SOL" />
 */
export const BackUpFirst: LazyView<BackUpFirstProps> = lazyView(
  async () => (await import('./back-up-first.js')).BackUpFirst,
)

/**
 * Renders its children, which show an address, unless the wallet must be backed up before it receives more.
 *
 * @example
 * const { balance } = useBalance(address)
 * return <BackupGate {...{ address, balance, hideAbove: 1_000_000_000n, limit: '1 SOL' }}>{address}</BackupGate>
 */
export function BackupGate({ address, balance, hideAbove, limit, slots, children }: BackupGateProps): ReactElement {
  const { text } = useMessages(backupMessages)
  const root = useRoot()
  const { wallets } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  const status = useReceiveAddress(address, { balance, hideAbove })
  if (status === 'loading')
    return (
      <div {...root}>
        <Loading what={text('yourAddress')} widths={[20, 24]} />
      </div>
    )
  if (status === 'hidden' && wallet) return <BackUpFirst wallet={wallet} limit={limit} slots={slots} />
  return (
    <>
      {wallet && <BackupNudge wallet={wallet} slots={slots} />}
      {children}
    </>
  )
}
