/** Token balances of a wallet, with the display name of each token. */
import { formatAmount, type TokenAccount } from '@keybay/solana'
import { groupDecimal, shorten } from '../design/format.js'
import { findDemoToken } from './demo-tokens.js'

export interface Holding {
  readonly mint: string
  readonly symbol: string
  readonly name: string
  /** Smallest units, over all accounts of the wallet. */
  readonly amount: bigint
  readonly decimals: number
  readonly frozen: boolean
}

/** Names are not verified, so a token from outside the sandbox appears by its address. */
export function getSymbol(mint: string): string {
  return findDemoToken(mint)?.symbol ?? shorten(mint)
}

/** @example `1,234.5 DEMO` */
export function tokenText(amount: bigint, { mint, decimals }: Pick<Holding, 'mint' | 'decimals'>): string {
  return `${groupDecimal(formatAmount(amount, decimals))} ${getSymbol(mint)}`
}

export function getHoldings(accounts: readonly TokenAccount[]): readonly Holding[] {
  const byMint = new Map<string, Holding>()
  for (const { mint, amount, decimals, frozen } of accounts) {
    const known = byMint.get(mint)
    byMint.set(mint, {
      mint,
      symbol: getSymbol(mint),
      name: findDemoToken(mint)?.name ?? 'Unknown token',
      amount: (known?.amount ?? 0n) + amount,
      decimals,
      frozen: (known?.frozen ?? false) || frozen,
    })
  }
  return [...byMint.values()].sort((a, b) => a.symbol.localeCompare(b.symbol))
}
