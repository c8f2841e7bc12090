/** Chains of the user's accounts, as addresses tell them apart. */
import type { IdentifierArray } from '@wallet-standard/base'

/** EVM: of any chain that takes its addresses. BTC: taproot. */
export type AccountChain = 'SOL' | 'EVM' | 'BTC'

export function chainOfAddress(address: string): AccountChain {
  return address.startsWith('0x') ? 'EVM' : address.startsWith('bc1') ? 'BTC' : 'SOL'
}

/** What one account can do, and where. Solana's chains are the wallet's own. */
export const ACCOUNTS: {
  readonly [C in AccountChain]: { readonly chains?: IdentifierArray; readonly features: IdentifierArray }
} = {
  SOL: { features: ['solana:signMessage', 'solana:signTransaction', 'keybay:signRawMessage'] },
  EVM: {
    chains: ['eip155:1'],
    features: ['evm:signMessage', 'evm:signTypedData', 'evm:signTransaction', 'keybay:signTypedData'],
  },
  BTC: { chains: ['bitcoin:mainnet'], features: ['bitcoin:signTransaction'] },
}

/** The fields that name an account in a message. */
export function onAccount(accountAddress: string): {
  readonly chainName: AccountChain
  readonly accountAddress: string
} {
  return { chainName: chainOfAddress(accountAddress), accountAddress }
}
