/** Adapts the Acme Name wallet to Wallet Standard, the only interface that the kernel uses. */
import { connectorNotReady, KeybayError, type WalletWith } from '@keybay/kernel'
import { ICON } from './icon.js'
import type { AcmeNameAccount, AcmeNameProvider } from './provider.js'

export type AcmeNameFeature = 'standard:connect' | 'standard:disconnect' | 'standard:events' | 'solana:signMessage'
export type AcmeNameWallet = WalletWith<AcmeNameFeature>
type Account = AcmeNameWallet['accounts'][number]

const CHAINS = ['solana:mainnet', 'solana:devnet', 'solana:localnet'] as const

function toAccount({ address, publicKey }: AcmeNameAccount): Account {
  return { address, publicKey, chains: CHAINS, features: ['solana:signMessage'] }
}

/**
 * @param find called on each request, because the wallet may load later than the page
 * @returns the wallet, and a function that disconnects it from the page
 * @throws KeybayError `connector_not_ready` from every feature while the wallet is missing
 */
export function acmeNameWallet(find: () => AcmeNameProvider | undefined): {
  readonly wallet: AcmeNameWallet
  stop(): void
} {
  let accounts: readonly Account[] = []
  let unfollow: (() => void) | undefined
  const listeners = new Set<(change: { readonly accounts: readonly Account[] }) => void>()

  const setAccount = (account: AcmeNameAccount | undefined) => {
    accounts = account ? [toAccount(account)] : []
    for (const listener of listeners) listener({ accounts })
  }
  const stop = () => {
    unfollow?.()
    unfollow = undefined
  }
  const provider = (): AcmeNameProvider => {
    const injected = find()
    if (!injected) throw new KeybayError(connectorNotReady, { connectorId: 'acme-name' })
    return injected
  }

  const wallet: AcmeNameWallet = {
    version: '1.0.0',
    name: 'Acme Name',
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async ({ silent = false } = {}) => {
          const injected = provider()
          const account = await injected.connect({ silent })
          unfollow ??= injected.onChange(setAccount)
          setAccount(account)
          return { accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: async () => {
          stop()
          setAccount(undefined)
          await find()?.disconnect()
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event, listener) => {
          listeners.add(listener)
          return () => {
            listeners.delete(listener)
          }
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: (...inputs) =>
          Promise.all(
            inputs.map(async ({ message }) => {
              // A copy: the app may change its array while the user reads the message.
              const signedMessage = new Uint8Array(message)
              return { signedMessage, signature: await provider().signMessage(signedMessage) }
            }),
          ),
      },
    },
  }
  return { wallet, stop }
}
