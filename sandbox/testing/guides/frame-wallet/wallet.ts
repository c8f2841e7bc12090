/** Adapts the channel to Wallet Standard, the only interface that the kernel uses. */
import { accountStore, KeybayError, type WalletWith } from '@keybay/kernel'
import { field, recordInvalid } from '@keybay/kernel/spec'
import { ICON } from '../icon.js'
import type { Channel } from './channel.js'

export type AcmeFeature =
  | 'standard:connect'
  | 'standard:disconnect'
  | 'standard:events'
  | 'solana:signMessage'
  | 'solana:signTransaction'
export type AcmeWallet = WalletWith<AcmeFeature>
type Account = AcmeWallet['accounts'][number]

const CHAINS = ['solana:mainnet', 'solana:devnet', 'solana:localnet'] as const

/** @throws KeybayError `record_invalid`, because a wallet's response is not trusted */
function readBytes(value: unknown, name: string, length?: number): Uint8Array {
  const bytes = field(value, name)
  if (bytes instanceof Uint8Array && (length === undefined || bytes.length === length)) return bytes
  throw new KeybayError(recordInvalid, { connectorId: 'acme', detail: name })
}
function readAccounts(response: unknown): readonly Account[] {
  const accounts = field(response, 'accounts')
  if (!Array.isArray(accounts)) throw new KeybayError(recordInvalid, { connectorId: 'acme', detail: 'accounts' })
  return accounts.map(account => ({
    address: String(field(account, 'address')),
    publicKey: readBytes(account, 'publicKey', 32),
    chains: CHAINS,
    features: ['solana:signMessage', 'solana:signTransaction'],
  }))
}

/** @param open resolves once the wallet is there */
export function acmeWallet(open: () => Promise<Channel>): {
  readonly wallet: AcmeWallet
  follow(event: unknown): void
} {
  const store = accountStore()
  const request = async (method: string, params?: object) => (await open()).request(method, params)
  const wallet: AcmeWallet = {
    version: '1.0.0',
    name: 'Acme',
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return store.accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false } = {}) {
          store.set(readAccounts(await request('connect', { silent })))
          return { accounts: store.accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        async disconnect() {
          store.set([])
          await request('disconnect')
        },
      },
      'standard:events': store.events,
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs) =>
          Promise.all(
            inputs.map(async ({ account: { address }, message }) => {
              // A copy: the app may change its array while the user reads the message.
              const signedMessage = new Uint8Array(message)
              const response = await request('signMessage', { address, message: signedMessage })
              return { signedMessage, signature: readBytes(response, 'signature', 64) }
            }),
          ),
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: (...inputs) =>
          Promise.all(
            inputs.map(async ({ account: { address }, transaction, chain }) => {
              const response = await request('signTransaction', {
                address,
                transaction: new Uint8Array(transaction),
                chain,
              })
              return { signedTransaction: readBytes(response, 'signedTransaction') }
            }),
          ),
      },
    },
  }
  // A page hears of accounts only while it is connected.
  return { wallet, follow: event => store.accounts.length > 0 && store.set(readAccounts(event)) }
}
