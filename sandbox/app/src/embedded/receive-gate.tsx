import type { Account } from '@keybay/kernel'
import { formatSol } from '@keybay/solana'
import { useBalance } from '@keybay/solana/react'
import { BackupGate } from '@keybay/waas/ui'
import type { ReactNode } from 'react'
import { walletSlots } from './wallet-slots.js'

/** In lamports: a wallet without a backup that holds more does not show its address. */
const HIDE_ADDRESS_ABOVE = 1_000_000_000n
const LIMIT = `${formatSol(HIDE_ADDRESS_ABOVE)} SOL`

interface ReceiveGateProps {
  readonly account: Account
  readonly children: ReactNode
}

/** Renders its children, which show the address, unless an embedded wallet must be backed up before it receives more. */
export function ReceiveGate({ account, children }: ReceiveGateProps) {
  // Only an embedded wallet loads the frame.
  return account.connectorId === 'waas' ? <EmbeddedGate address={account.address}>{children}</EmbeddedGate> : children
}

function EmbeddedGate({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const { balance, error } = useBalance(address)
  // A network that does not answer must not hide the address.
  const known = balance ?? (error ? 0n : undefined)
  const gate = { address, balance: known, hideAbove: HIDE_ADDRESS_ABOVE, limit: LIMIT, slots: walletSlots }
  return <BackupGate {...gate}>{children}</BackupGate>
}
