/** Checks and compares the accounts that wallets report. */
import type { WalletAccount } from '@wallet-standard/base'
import { quietly } from './spec/shape.js'

const MAX_ACCOUNTS = 1000

function isSound(account: WalletAccount) {
  return quietly(
    () =>
      typeof account.address === 'string' &&
      /^[\w:.-]{1,256}$/.test(account.address) &&
      typeof (account.label ?? '') === 'string' &&
      Array.isArray(account.chains) &&
      account.chains.every(chain => typeof chain === 'string') &&
      Array.isArray(account.features),
  )
}

/** Leaves out hostile and broken accounts. Returns the wallet's own objects, which many wallets compare by identity. */
export function soundAccounts(accounts: readonly WalletAccount[] | undefined): readonly WalletAccount[] {
  return Array.isArray(accounts) ? accounts.slice(0, MAX_ACCOUNTS).filter(isSound) : []
}

function describe({ address, label, chains, features }: WalletAccount) {
  return [address, label, chains, features].join()
}

/** Compares by structure, so that equal accounts make no new snapshot. */
export function sameAccounts(a: readonly WalletAccount[], b: readonly WalletAccount[]): boolean {
  return a.map(describe).join() === b.map(describe).join()
}
