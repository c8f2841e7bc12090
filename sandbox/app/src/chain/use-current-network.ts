import type { NetworkSummary } from '@keybay/solana'
import { useNetwork } from '@keybay/solana/react'

const names: Readonly<Record<string, string>> = {
  'mainnet-beta': 'Solana Mainnet',
  testnet: 'Solana Testnet',
  devnet: 'Solana Devnet',
  localnet: 'Solana Localnet',
}
/** For people. */
export function networkName({ cluster, name }: NetworkSummary): string {
  return names[cluster] ?? name
}

/** The network in use, with its name for people. @throws Error when the instance has none: this app's always has */
export function useCurrentNetwork(): NetworkSummary {
  const { network } = useNetwork()
  if (!network) throw new Error('This instance was made without networks.')
  return { ...network, name: networkName(network) }
}
