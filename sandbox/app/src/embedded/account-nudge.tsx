import type { Account } from '@keybay/kernel'
import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets } from '@keybay/waas/react'
import { BackupBadge, BackupNudge } from '@keybay/waas/ui'
import { Notice } from '../design/index.js'
import { Link, LinkButton } from '../routing/link.js'
import { walletSlots } from './wallet-slots.js'

/**
 * Tells the user, where the account is used, that its embedded wallet could be lost, or cannot sign here; renders nothing
 * for other wallets.
 */
export function AccountNudge({ account }: { readonly account: Account }) {
  // Only an embedded wallet loads the frame.
  return account.connectorId === 'waas' ? <EmbeddedNudge address={account.address} /> : null
}

/** Marks an account whose embedded wallet has no current backup, and leads to the backup. */
export function AccountBadge({ account }: { readonly account: Account }) {
  return account.connectorId === 'waas' ? <EmbeddedBadge address={account.address} /> : null
}

function useWallet(address: string) {
  const { wallets } = useEmbeddedWallets()
  return wallets?.find(({ accountAddress }) => accountAddress === address)
}

function EmbeddedBadge({ address }: { readonly address: string }) {
  const wallet = useWallet(address)
  return wallet ? <BadgeLink wallet={wallet} /> : null
}

export function BadgeLink({ wallet }: { readonly wallet: WaasWallet }) {
  const { here, backup, accountAddress } = wallet
  if (!here || backup.state === 'current') return null
  return (
    <Link to={`/wallets/${accountAddress}/backup`} className="badge-link">
      <BackupBadge wallet={wallet} />
    </Link>
  )
}

function EmbeddedNudge({ address }: { readonly address: string }) {
  const wallet = useWallet(address)
  if (!wallet) return null
  if (wallet.here) return <BackupNudge wallet={wallet} slots={walletSlots} />
  return (
    <Notice kind="warn" title="This browser can’t sign for your wallet yet.">
      <span>Your wallet is on another device.</span>
      <LinkButton to={`/wallets/${address}`} small text="Add this browser" />
    </Notice>
  )
}
