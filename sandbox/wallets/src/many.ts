import type { Wallet } from '@wallet-standard/base'
import { announce } from './announce.js'
import { createPlainWallet } from './plain-wallet.js'

export interface ManyWallets {
  readonly wallets: readonly Wallet[]
  unregister(): void
}

/**
 * Adds `count` wallets to the page, from `Test wallet 0001` on, each with a real key; they approve everything.
 *
 * @example registerManyWallets(1000)
 */
export function registerManyWallets(count: number): ManyWallets {
  const wallets = Array.from({ length: count }, (_, index) =>
    createPlainWallet(`Test wallet ${String(index + 1).padStart(4, '0')}`),
  )
  const withdraw = wallets.map(announce)
  return {
    wallets,
    unregister: () => {
      for (const unregisterWallet of withdraw) unregisterWallet()
    },
  }
}
