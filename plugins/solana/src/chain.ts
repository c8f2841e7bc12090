import type { NetworkSummary } from './networks.js'

/** The Wallet Standard's name of a network: `solana:mainnet`, `solana:devnet`, … (S9.6) */
export const chainOf = ({ cluster }: Pick<NetworkSummary, 'cluster'>): `solana:${string}` =>
  `solana:${cluster.replace('-beta', '')}`
