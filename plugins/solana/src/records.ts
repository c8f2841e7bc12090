/** Full records of the known networks (S3.2). Genesis hashes as returned by `getGenesisHash`. */
import { SOL_DECIMALS, SOLANA_MAINNET_ID, type SolanaNetwork } from '@keybay/kernel/spec'

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8'/%3E%3Cpath fill='%2314f195' d='M9 20h15l-3 3H6zm0-11h15l-3 3H6z'/%3E%3Cpath fill='%239945ff' d='M23 14.5H8l3 3h15z'/%3E%3C/svg%3E"

function network(
  networkId: number,
  cluster: string,
  name: string,
  vanityName: string,
  genesisHash: string,
  rpcUrl: string,
  explorerQuery: string,
): SolanaNetwork {
  return {
    chainId: networkId,
    networkId,
    cluster,
    genesisHash,
    name,
    vanityName,
    key: `solana-${cluster.replace('-beta', '')}`,
    rpcUrls: [rpcUrl],
    privateCustomerRpcUrls: [],
    blockExplorerUrls: [`https://explorer.solana.com/${explorerQuery}`],
    iconUrls: [ICON],
    isTestnet: networkId !== SOLANA_MAINNET_ID,
    nativeCurrency: {
      decimals: SOL_DECIMALS,
      name: 'Solana',
      symbol: 'SOL',
      pricingProviderTokenId: 'solana',
      iconUrl: ICON,
    },
  }
}

export const RECORDS: readonly SolanaNetwork[] = [
  network(
    SOLANA_MAINNET_ID,
    'mainnet-beta',
    'Solana',
    'Mainnet',
    '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    'https://api.mainnet-beta.solana.com',
    '',
  ),
  network(
    102,
    'testnet',
    'Solana Testnet',
    'Testnet',
    '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
    'https://api.testnet.solana.com',
    '?cluster=testnet',
  ),
  network(
    103,
    'devnet',
    'Solana Devnet',
    'Devnet',
    'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    'https://api.devnet.solana.com',
    '?cluster=devnet',
  ),
  // A local chain creates a new genesis on each start.
  network(
    104,
    'localnet',
    'Solana Localnet',
    'Localnet',
    '',
    'http://localhost:8899',
    '?cluster=custom&customUrl=http%3A%2F%2Flocalhost%3A8899',
  ),
]
