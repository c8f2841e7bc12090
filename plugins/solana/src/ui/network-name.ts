import type { NetworkSummary } from '../networks.js'

const NAMES: Readonly<Record<string, string>> = {
  'mainnet-beta': 'Solana Mainnet',
  testnet: 'Solana Testnet',
  devnet: 'Solana Devnet',
  localnet: 'Solana Localnet',
}

/**
 * Returns the name of a network as the views show it.
 *
 * @example getNetworkName(keybay.solana.networks.current()) // 'Solana Devnet'
 */
export function getNetworkName({ cluster, name }: Pick<NetworkSummary, 'cluster' | 'name'>): string {
  return NAMES[cluster] ?? name
}
