import type { NetworkSummary } from '@keybay/solana'
import { useNetwork } from '@keybay/solana/react'

const names: Readonly<Record<string, string>> = {
  'mainnet-beta': 'Solana Mainnet',
  testnet: 'Solana Testnet',
  devnet: 'Solana Devnet',
  localnet: 'Solana Localnet',
}
/** Returns the display name of a network. */
export function networkName({ cluster, name }: NetworkSummary): string {
  return names[cluster] ?? name
}

/** Returns the network in use with its display name. @throws Error without a network; this app always has one */
export function useCurrentNetwork(): NetworkSummary {
  const { network } = useNetwork()
  if (!network) throw new Error('This instance was made without networks.')
  return { ...network, name: networkName(network) }
}
