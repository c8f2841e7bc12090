/** The chains of the user's accounts. */
import type { IdentifierArray, WalletAccount } from '@wallet-standard/base'
import type { WaasWallet } from '../protocol/wallet.js'

/** `EVM` signs for every chain with Ethereum addresses. `BTC` is taproot. */
export type AccountChain = 'SOL' | 'EVM' | 'BTC'

function chainOfAddress(address: string): AccountChain {
  return address.startsWith('0x') ? 'EVM' : address.startsWith('bc1') ? 'BTC' : 'SOL'
}

/** The fields that name an account in a message. */
export function onAccount(accountAddress: string): {
  readonly chainName: AccountChain
  readonly accountAddress: string
} {
  return { chainName: chainOfAddress(accountAddress), accountAddress }
}

/** Chains and features of an account. An account of Solana is on the chains of the wallet. */
const ACCOUNTS: {
  readonly [C in AccountChain]: { readonly chains?: IdentifierArray; readonly features: IdentifierArray }
} = {
  SOL: { features: ['solana:signMessage', 'solana:signTransaction', 'keybay:signRawMessage'] },
  EVM: {
    chains: ['eip155:1'],
    features: ['evm:signMessage', 'evm:signTypedData', 'evm:signTransaction', 'keybay:signTypedData'],
  },
  BTC: { chains: ['bitcoin:mainnet'], features: ['bitcoin:signTransaction'] },
}

export function toAccount({ accountAddress, publicKey }: WaasWallet, solanaChains: IdentifierArray): WalletAccount {
  return { address: accountAddress, publicKey, chains: solanaChains, ...ACCOUNTS[chainOfAddress(accountAddress)] }
}
