/** The accounts of one wallet, and `standard:events` that reports their changes. */
import type { WalletAccount } from '@wallet-standard/base'
import type { WalletFeatures } from './connector.js'
import { listenerSet } from './listeners.js'
import { sameAccounts } from './wallet-accounts.js'

export interface AccountStore {
  readonly accounts: readonly WalletAccount[]
  /** Replaces the accounts and emits a change if they differ. Equal accounts stay the same object: apps compare by identity. */
  set(accounts: readonly WalletAccount[]): void
  readonly events: WalletFeatures['standard:events']
}

export function accountStore(): AccountStore {
  const listeners = listenerSet<{ readonly accounts: readonly WalletAccount[] }>()
  let accounts: readonly WalletAccount[] = []
  return {
    get accounts() {
      return accounts
    },
    set(next) {
      if (sameAccounts(next, accounts)) return
      accounts = next.map(account => accounts.find(previous => sameAccounts([previous], [account])) ?? account)
      listeners.emit({ accounts })
    },
    events: { version: '1.0.0', on: (_event, listener) => listeners.add(listener) },
  }
}
