import type { Account } from '@keybay/kernel'
import { useEmbeddedWallets } from '@keybay/waas/react'
import { BackupNudge } from './backup-notes.js'

/** Tells the user, where the account is used, that its embedded wallet could be lost; renders nothing for other wallets. */
export function AccountNudge({ account }: { readonly account: Account }) {
  // Only an embedded wallet loads the frame.
  return account.connectorId === 'waas' ? <EmbeddedNudge address={account.address} /> : null
}

function EmbeddedNudge({ address }: { readonly address: string }) {
  const { wallets } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  return wallet ? <BackupNudge wallet={wallet} /> : null
}
