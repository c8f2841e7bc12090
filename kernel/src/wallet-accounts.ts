/** Accounts as wallets give them: hostile or broken ones are left out, unchanged ones recognised. */
import type { WalletAccount } from '@wallet-standard/base'
import { quietly } from './shape.js'

const MOST = 1000

function sound(account: WalletAccount) {
  return quietly(
    () =>
      typeof account.address === 'string' &&
      /^[\w:.-]{1,256}$/.test(account.address) &&
      typeof (account.label ?? '') === 'string' &&
      account.chains.every(chain => typeof chain === 'string') &&
      Array.isArray(account.features),
  )
}

/** The wallet's own objects, because many wallets compare them by identity; only the unsound ones are left out. */
export function soundAccounts(given: readonly WalletAccount[] | undefined): readonly WalletAccount[] {
  return Array.isArray(given) ? given.slice(0, MOST).filter(sound) : []
}

function facts({ address, label, chains, features }: WalletAccount) {
  return [address, label, chains, features].join()
}

/** Structurally equal accounts make no new snapshot. */
export function sameAccounts(a: readonly WalletAccount[], b: readonly WalletAccount[]): boolean {
  return a.map(facts).join('\n') === b.map(facts).join('\n')
}
