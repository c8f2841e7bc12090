/** Token balances of a wallet, by the names that the host knows. */
import { shorten } from '@keybay/kernel/spec'
import { useMemo } from 'react'
import { formatAmount } from '../amount.js'
import type { TokenAccount } from '../steps.js'
import { groupDecimal } from './format.js'
import { useSlots } from './slots.js'

export interface Holding {
  readonly mint: string
  /** Smallest units, over all accounts of the wallet. */
  readonly amount: bigint
  readonly decimals: number
  /** The issuer has frozen at least one of the accounts. */
  readonly frozen: boolean
}

/** Returns one entry for each mint. */
function addUp(accounts: readonly TokenAccount[]): readonly Holding[] {
  const byMint = new Map<string, Holding>()
  for (const { mint, amount, decimals, frozen } of accounts) {
    const known = byMint.get(mint)
    byMint.set(mint, {
      mint,
      amount: (known?.amount ?? 0n) + amount,
      decimals,
      frozen: (known?.frozen ?? false) || frozen,
    })
  }
  return [...byMint.values()]
}

export interface Tokens {
  symbol(mint: string): string
  /** @example `1,234.5 USDC` */
  amountText(amount: bigint, token: Pick<Holding, 'mint' | 'decimals'>): string
  /** In the order of their symbols. */
  holdings(accounts: readonly TokenAccount[]): readonly Holding[]
}

export function useTokens(): Tokens {
  const { token } = useSlots()
  return useMemo(() => {
    const symbol = (mint: string) => token?.(mint)?.symbol ?? shorten(mint)
    return {
      symbol,
      amountText: (amount, { mint, decimals }) => `${groupDecimal(formatAmount(amount, decimals))} ${symbol(mint)}`,
      holdings: accounts => [...addUp(accounts)].sort((a, b) => symbol(a.mint).localeCompare(symbol(b.mint))),
    }
  }, [token])
}
