/** EVM chains that this app knows by name, for its switch: https://chainlist.org. Other chains appear by number. */
import type { EvmChain, EvmChainFacts } from '@keybay/browser-extension'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
/** Parameters in the form that EIP-3085 defines, for wallets that do not know the chain. */
export const evmChains: readonly (EvmChainFacts & { readonly chain: EvmChain })[] = [
  { chain: 'eip155:1', chainName: 'Ethereum', rpcUrls: ['https://ethereum-rpc.publicnode.com'], nativeCurrency: ether },
  {
    chain: 'eip155:137',
    chainName: 'Polygon',
    rpcUrls: ['https://polygon-bor-rpc.publicnode.com'],
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  },
  { chain: 'eip155:8453', chainName: 'Base', rpcUrls: ['https://mainnet.base.org'], nativeCurrency: ether },
]
/** @param chain e.g. `eip155:137` */
export function evmChainName(chain: string): string {
  return evmChains.find(evmChain => evmChain.chain === chain)?.chainName ?? `EVM chain ${chain.split(':')[1]}`
}

export function evmSymbol(chain: string): string {
  return evmChains.find(evmChain => evmChain.chain === chain)?.nativeCurrency.symbol ?? 'units'
}
