/** The wallet itself, in the words of Wallet Standard: its accounts are the user's, on Solana and EVM. */
import type { SolanaSignMessage, SolanaSignTransaction, WalletFeatures } from '@keybay/kernel'
import { EMBEDDED_WALLET_NAME_PREFIX, type WalletCredential } from '@keybay/kernel/spec'
import type { IdentifierArray, Wallet, WalletAccount } from '@wallet-standard/base'
import type { SignTypedDataFeature } from './api.js'
import { base58, hexToBytes } from './bytes.js'

type Change = Parameters<Parameters<WalletFeatures['standard:events']['on']>[1]>[0]
export interface AccountStore {
  readonly accounts: readonly WalletAccount[]
  /** Tells who listens, if anything is another now. An account that stays is the same object. */
  show(wallets: readonly WalletCredential[]): void
  readonly on: WalletFeatures['standard:events']['on']
}

/** S9.8 */
export function isEmbedded({ walletName }: Pick<WalletCredential, 'walletName'>): boolean {
  return walletName.startsWith(EMBEDDED_WALLET_NAME_PREFIX)
}

export function createAccountStore(chains: IdentifierArray): AccountStore {
  const listeners = new Set<(change: Change) => void>()
  let accounts: readonly WalletAccount[] = []
  const solana = chains.filter(chain => chain.startsWith('solana:'))
  const ethereum = chains.filter(chain => chain.startsWith('eip155:'))
  const accountOf = ({ address, chain }: WalletCredential): WalletAccount =>
    accounts.find(one => one.address === address) ??
    (chain === 'SOL'
      ? {
          address,
          publicKey: base58(address),
          chains: solana,
          features: ['solana:signMessage', 'solana:signTransaction'],
        }
      : { address, publicKey: hexToBytes(address.slice(2)), chains: ethereum, features: ['keybay:signTypedData'] })
  return {
    get accounts() {
      return accounts
    },
    show(wallets) {
      const next = wallets.filter(isEmbedded).map(accountOf)
      if (next.length === accounts.length && next.every((one, index) => one === accounts[index])) return
      accounts = next
      for (const listener of [...listeners]) listener({ accounts })
    },
    on(_event, listener) {
      const own = (change: Change) => listener(change)
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}

export interface Signing {
  /** @throws KeybayError `account_not_found` when the account is not of this wallet */
  messages(account: WalletAccount, messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  transaction(account: WalletAccount, transaction: Uint8Array): Promise<Uint8Array>
  typedData(address: string, typedData: string): Promise<string>
}
export interface WalletParts {
  readonly face: Pick<Wallet, 'name' | 'icon' | 'chains'>
  readonly store: AccountStore
  readonly signing: Signing
  connect(): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}

export function createWallet({ face, store, signing, connect, disconnect }: WalletParts): Wallet {
  const { name, icon, chains } = face
  const signMessage: SolanaSignMessage = {
    version: '1.1.0',
    async signMessage(...inputs) {
      const [first] = inputs
      if (!first) return []
      // Of one account they are one request.
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
    name,
    icon,
    chains,
    get accounts() {
      return store.accounts
    },
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: await connect() }) },
      'standard:disconnect': { version: '1.0.0', disconnect },
      'standard:events': { version: '1.0.0', on: store.on },
      'solana:signMessage': signMessage,
      'solana:signTransaction': signTransaction,
      'keybay:signTypedData': signTypedData,
    },
  }
}
