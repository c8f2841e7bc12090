/** The Acme Name wallet in the terms of Wallet Standard, which is all that the kernel speaks. */
import { connectorNotReady, KeybayError, type WalletWith } from '@keybay/kernel'
import { ICON } from './icon.js'
import type { AcmeNameAccount, AcmeNameProvider } from './provider.js'

export type AcmeNameFeature = 'standard:connect' | 'standard:disconnect' | 'standard:events' | 'solana:signMessage'
export type AcmeNameWallet = WalletWith<AcmeNameFeature>
type Account = AcmeNameWallet['accounts'][number]

const CHAINS = ['solana:mainnet', 'solana:devnet', 'solana:localnet'] as const

const toAccount = ({ address, publicKey }: AcmeNameAccount): Account => ({
  address,
  publicKey,
  chains: CHAINS,
  features: ['solana:signMessage'],
})

/**
 * @param find asked at each call, for the wallet may come later than the page
 * @throws KeybayError `connector_not_ready` from every feature while the wallet is not there
 */
export const acmeNameWallet = (find: () => AcmeNameProvider | undefined): AcmeNameWallet => {
  let accounts: readonly Account[] = []
  const listeners = new Set<(change: { readonly accounts: readonly Account[] }) => void>()
  let following: AcmeNameProvider | undefined

  const setAccount = (account: AcmeNameAccount | undefined) => {
    accounts = account ? [toAccount(account)] : []
    for (const listener of listeners) listener({ accounts })
  }
  const provider = (): AcmeNameProvider => {
    const found = find()
    if (!found) throw new KeybayError(connectorNotReady, { connectorId: 'acme-name' })
    if (found !== following) found.onChange(setAccount)
    following = found
    return found
  }

  return {
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
          setAccount(await provider().connect({ silent }))
          return { accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: async () => {
          await provider().disconnect()
          setAccount(undefined)
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event, listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: (...inputs) =>
          Promise.all(
            inputs.map(async ({ message }) => ({
              signedMessage: message,
              signature: await provider().signMessage(message),
            })),
          ),
      },
    },
  }
}
