import type { NetworkSummary } from './networks.js'

/** Returns a network's Wallet Standard name: `solana:mainnet`, `solana:devnet`, … (S9.6) */
export function chainOf({ cluster }: Pick<NetworkSummary, 'cluster'>): `solana:${string}` {
  return `solana:${cluster.replace('-beta', '')}`
}
