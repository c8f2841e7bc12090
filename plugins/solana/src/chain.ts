import type { NetworkSummary } from './networks.js'

/** The Wallet Standard's name of a network: `solana:mainnet`, `solana:devnet`, … (S9.6) */
export function chainOf({ cluster }: Pick<NetworkSummary, 'cluster'>): `solana:${string}` {
  return `solana:${cluster.replace('-beta', '')}`
}
