/** Names networks by the hash of their first block. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'Solana mainnet'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'Solana devnet'],
  ['4uhcVJyU9pJkvQyUS88uRDiswHScSNY3XcQkhLNptqFY', 'Solana testnet'],
])

/** @param rpcUrl node whose network has no known name: one of this machine is a localnet */
export function getNetwork(genesisHash: string, rpcUrl: string): string {
  const isLocal = /(^|\.)localhost$|^127\.|^\[::1\]$/.test(new URL(rpcUrl).hostname)
  return NETWORKS.get(genesisHash) ?? (isLocal ? 'Solana localnet' : 'An unknown network of Solana')
}
