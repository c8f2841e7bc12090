/** The wallet's accounts, and their listeners. */
import type { WalletFeatures } from '@keybay/kernel'
import type { IdentifierArray, WalletAccount } from '@wallet-standard/base'
import type { WaasWallet } from '../protocol/wallet.js'
import { ACCOUNTS, chainOfAddress } from './chains.js'

type On = WalletFeatures['standard:events']['on']
type Listener = Parameters<On>[1]
export interface AccountStore {
  readonly accounts: readonly WalletAccount[]
  /** Notifies the listeners if the accounts changed. An account that stays is the same object. */
  show(wallets: readonly WaasWallet[]): void
  readonly on: On
}

export function createAccountStore(chains: IdentifierArray): AccountStore {
  const listeners = new Set<Listener>()
  let accounts: readonly WalletAccount[] = []
  const toAccount = ({ accountAddress, publicKey }: WaasWallet): WalletAccount =>
    accounts.find(({ address }) => address === accountAddress) ?? {
      address: accountAddress,
      publicKey,
      chains,
      ...ACCOUNTS[chainOfAddress(accountAddress)],
    }
  return {
    get accounts() {
      return accounts
    },
    show(wallets) {
      const next = wallets.map(toAccount)
      if (next.length === accounts.length && next.every((account, index) => account === accounts[index])) return
      accounts = next
      for (const listener of [...listeners]) listener({ accounts })
    },
    on(_event, listener) {
      const subscription: Listener = change => listener(change)
      listeners.add(subscription)
      return () => {
        listeners.delete(subscription)
      }
    },
  }
}
