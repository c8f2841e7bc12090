import type { Account } from '@keybay/kernel'
import { useEmbeddedWallets } from '@keybay/waas/react'
import { BackupNudge } from '@keybay/waas/ui'
import { Notice } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { walletSlots } from './wallet-slots.js'

/**
 * Tells the user, where the account is used, that its embedded wallet could be lost, or cannot sign here; renders nothing
 * for other wallets.
 */
export function AccountNudge({ account }: { readonly account: Account }) {
  // Only an embedded wallet loads the frame.
  return account.connectorId === 'waas' ? <EmbeddedNudge address={account.address} /> : null
}

function EmbeddedNudge({ address }: { readonly address: string }) {
  const { wallets } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  if (!wallet) return null
  if (wallet.here) return <BackupNudge wallet={wallet} slots={walletSlots} />
  return (
    <Notice kind="warn" title="This browser can’t sign for your wallet yet.">
      <span>Your wallet is on another device.</span>
      <LinkButton to={`/wallets/${address}`} small text="Add this browser" />
    </Notice>
  )
}
