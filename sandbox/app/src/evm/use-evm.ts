/** The EVM account in use and the features of its wallet. The rest of the app is for Solana. */
import type { EvmChain } from '@keybay/browser-extension'
import type { Account, WalletFeatures } from '@keybay/kernel'
import { useActiveAccount } from '@keybay/react'

export interface Evm {
  readonly account: Account
  readonly chain: EvmChain
  readonly features: Partial<WalletFeatures>
}

function isEvmChain(chain: string): chain is EvmChain {
  return /^eip155:\d+$/.test(chain)
}

/** @returns undefined when no EVM wallet is connected */
export function useEvm(): Evm | undefined {
  const { account, connector } = useActiveAccount('eip155')
  const chain = account?.chains.find(isEvmChain)
  if (!account || !chain || connector?.kind !== 'wallet') return undefined
  // EVM accounts of custody and embedded wallets cannot send: they sign on their wallet's page.
  if (!('evm:sendTransaction' in connector.wallet.features)) return undefined
  return { account, chain, features: connector.wallet.features }
}
