import type { Account } from '@keybay/kernel'
import { formatSol } from '@keybay/solana'
import { useBalance } from '@keybay/solana/react'
import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets, useReceiveAddress } from '@keybay/waas/react'
import type { ReactNode } from 'react'
import { Empty, Loading } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { BackUpNow } from './back-up-now.js'
import { BackupNudge, needsBackup } from './backup-notes.js'

/** In lamports: a wallet without a backup that holds more does not show its address. */
const HIDE_ADDRESS_ABOVE = 1_000_000_000n

interface BackupGateProps {
  readonly account: Account
  readonly children: ReactNode
}

/** Renders its children, which show the address, unless an embedded wallet must be backed up before it receives more. */
export function BackupGate({ account, children }: BackupGateProps) {
  // Only an embedded wallet loads the frame.
  return account.connectorId === 'waas' ? <EmbeddedGate address={account.address}>{children}</EmbeddedGate> : children
}

function EmbeddedGate({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const { balance, error } = useBalance(address)
  const { wallets } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  // A network that does not answer must not hide the address.
  const known = balance ?? (error ? 0n : undefined)
  const status = useReceiveAddress(address, { balance: known, hideAbove: HIDE_ADDRESS_ABOVE })
  if (status === 'loading') return <Loading what="your address" widths={[20, 24]} />
  if (status === 'hidden' && wallet) return <BackUpFirst wallet={wallet} />
  return (
    <>
      {wallet && <BackupNudge wallet={wallet} />}
      {children}
    </>
  )
}

function BackUpFirst({ wallet }: { readonly wallet: WaasWallet }) {
  const canBackUp = needsBackup(wallet)
  const action = canBackUp ? (
    <BackUpNow address={wallet.accountAddress}>
      <LinkButton to={`/wallets/${wallet.accountAddress}/backup`} small text="Other ways" />
    </BackUpNow>
  ) : undefined
  return (
    <Empty icon="shield" title="Back up your wallet to receive more" action={action}>
      {`It holds more than ${formatSol(HIDE_ADDRESS_ABOVE)} SOL and has no current backup, so it could be lost with one browser. `}
      {canBackUp
        ? 'Your address shows as soon as the backup is done.'
        : 'Back it up in the browser where you made it. Then your address shows here.'}
    </Empty>
  )
}
