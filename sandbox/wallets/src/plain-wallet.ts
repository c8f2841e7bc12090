/** Wallet without windows that approves everything: cheap enough for thousands in a page, with a real key. */
import type { SolanaSignMessageFeature, SolanaSignTransactionFeature } from '@solana/wallet-standard-features'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { StandardConnectFeature, StandardDisconnectFeature } from '@wallet-standard/features'
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { createChangeEmitter } from './emitter.js'
import { ICON } from './icon.js'
import { signTransaction } from './transaction.js'

const CHAINS = ['solana:localnet', 'solana:devnet'] as const
const SIGNING = ['solana:signMessage', 'solana:signTransaction'] as const

export function createPlainWallet(name: string): Wallet {
  let keys: nacl.SignKeyPair | undefined
  let accounts: readonly WalletAccount[] = []
  const events = createChangeEmitter()
  // Created on first use, because a thousand key pairs at once would take seconds.
  const getKeys = () => {
    keys ??= nacl.sign.keyPair()
    return keys
  }
  const sign = (message: Uint8Array) => nacl.sign.detached(message, getKeys().secretKey)
  const setAccounts = (next: readonly WalletAccount[]) => {
    accounts = next
    events.emit({ accounts })
  }

  const features: StandardConnectFeature &
    StandardDisconnectFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature & { readonly 'standard:events': typeof events.feature } = {
    'standard:connect': {
      version: '1.0.0',
      connect: async () => {
        const { publicKey } = getKeys()
        if (!accounts.length)
          setAccounts([{ address: bs58.encode(publicKey), publicKey, chains: CHAINS, features: SIGNING }])
        return { accounts }
      },
    },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => setAccounts([]) },
    'standard:events': events.feature,
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: async (...inputs) =>
        inputs.map(({ message }) => ({ signedMessage: message, signature: sign(message), signatureType: 'ed25519' })),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: async (...inputs) =>
        inputs.map(({ account, transaction }) => ({
          signedTransaction: signTransaction(transaction, account.address, sign),
        })),
    },
  }
  return {
    version: '1.0.0',
    name,
    icon: ICON,
    chains: CHAINS,
    features,
    get accounts() {
      return accounts
    },
  }
}
