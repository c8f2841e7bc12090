/** Exposes the same wallet through Wallet Standard. */
import type { SolanaSignMessageMethod, SolanaSignTransactionMethod } from '@solana/wallet-standard-features'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import bs58 from 'bs58'
import { createChangeEmitter } from '../../emitter.js'
import { ICON } from '../../icon.js'
import type { Channel } from './channel.js'

const CHAINS = ['solana:localnet', 'solana:devnet', 'solana:testnet', 'solana:mainnet'] as const
const FEATURES = ['solana:signMessage', 'solana:signTransaction'] as const

export function createStandardWallet({ ask, subscribe }: Channel, name: string): Wallet {
  const events = createChangeEmitter()
  let accounts: readonly WalletAccount[] = []
  const show = (address: unknown) => {
    if (address === accounts[0]?.address) return
    accounts =
      typeof address === 'string'
        ? [Object.freeze({ address, publicKey: bs58.decode(address), chains: CHAINS, features: FEATURES })]
        : []
    events.emit({ accounts })
  }
  subscribe(({ solana }) => {
    if (accounts.length) show(solana)
  })
  const signMessage: SolanaSignMessageMethod = async (...inputs) => {
    const outputs = []
    for (const signedMessage of inputs.map(({ message }) => new Uint8Array(message))) {
      const answer = await ask('solana.signMessage', { message: bs58.encode(signedMessage) })
      outputs.push({ signedMessage, signature: bs58.decode(String(Reflect.get(Object(answer), 'signature'))) })
    }
    return outputs
  }
  const signTransaction: SolanaSignTransactionMethod = async (...inputs) => {
    if (!inputs.length) return []
    const transactions = inputs.map(({ transaction }) => bs58.encode(transaction))
    const signed = await ask('solana.signTransactions', { transactions })
    return Array.isArray(signed)
      ? signed.map(transaction => ({ signedTransaction: bs58.decode(String(transaction)) }))
      : []
  }
  return {
    version: '1.0.0',
    name,
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false } = {}) {
          show(Reflect.get(Object(await ask('solana.connect', { silent })), 'address'))
          return { accounts }
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => show(undefined) },
      'standard:events': events.feature,
      'solana:signMessage': { version: '1.1.0', signMessage },
      'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], signTransaction },
    },
  }
}
