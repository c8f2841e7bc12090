/** Exposes the wallet through the Wallet Standard, with the user's Solana and EVM accounts. */
import type { AccountStore, SolanaSignMessage, SolanaSignTransaction } from '@keybay/kernel'
import { EMBEDDED_WALLET_NAME_PREFIX, fromHex, type WalletCredential } from '@keybay/kernel/spec'
import { bs58 } from '@turnkey/encoding'
import type { IdentifierArray, Wallet, WalletAccount } from '@wallet-standard/base'
import type { SignTypedDataFeature } from './api.js'

export type WalletIdentity = Pick<Wallet, 'name' | 'icon' | 'chains'>

/** S9.8 */
export function isEmbedded({ walletName }: Pick<WalletCredential, 'walletName'>): boolean {
  return walletName.startsWith(EMBEDDED_WALLET_NAME_PREFIX)
}

export function toAccounts(wallets: readonly WalletCredential[], chains: IdentifierArray): readonly WalletAccount[] {
  return wallets
    .filter(isEmbedded)
    .map(({ address, chain }) =>
      chain === 'SOL'
        ? {
            address,
            publicKey: bs58.decode(address),
            chains: chains.filter(name => name.startsWith('solana:')),
            features: ['solana:signMessage', 'solana:signTransaction'],
          }
        : {
            address,
            publicKey: fromHex(address.slice(2)),
            chains: chains.filter(name => name.startsWith('eip155:')),
            features: ['keybay:signTypedData'],
          },
    )
}

export interface Signing {
  /** @throws KeybayError `account_not_found` for an account of another wallet */
  messages(account: WalletAccount, messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  transaction(account: WalletAccount, transaction: Uint8Array): Promise<Uint8Array>
  typedData(address: string, typedData: string): Promise<string>
}
export interface WalletParts {
  readonly identity: WalletIdentity
  readonly store: AccountStore
  readonly signing: Signing
  connect(): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}

export function createWallet({ identity, store, signing, connect, disconnect }: WalletParts): Wallet {
  const signMessage: SolanaSignMessage = {
    version: '1.1.0',
    async signMessage(...inputs) {
      const [first] = inputs
      if (!first) return []
      // Messages of one account share one request.
      if (inputs.every(({ account }) => account.address === first.account.address)) {
        const signatures = await signing.messages(
          first.account,
          inputs.map(({ message }) => message),
        )
        return inputs.map(({ message }, index) => ({
          signedMessage: message,
          signature: signatures[index] ?? new Uint8Array(),
        }))
      }
      const outputs = []
      for (const { account, message } of inputs) {
        const [signature = new Uint8Array()] = await signing.messages(account, [message])
        outputs.push({ signedMessage: message, signature })
      }
      return outputs
    },
  }
  const signTransaction: SolanaSignTransaction = {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy', 0],
    async signTransaction(...inputs) {
      const outputs = []
      for (const { account, transaction } of inputs)
        outputs.push({ signedTransaction: await signing.transaction(account, transaction) })
      return outputs
    },
  }
  const signTypedData: SignTypedDataFeature = {
    version: '1.0.0',
    signTypedData: async ({ account, typedData }) => ({
      signature: await signing.typedData(account.address, typedData),
    }),
  }
  return {
    version: '1.0.0',
    ...identity,
    get accounts() {
      return store.accounts
    },
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: await connect() }) },
      'standard:disconnect': { version: '1.0.0', disconnect },
      'standard:events': store.events,
      'solana:signMessage': signMessage,
      'solana:signTransaction': signTransaction,
      'keybay:signTypedData': signTypedData,
    },
  }
}
