/** Computes what leaves and arrives at a wallet's accounts, from the accounts before and after a transaction. */
import { inSol, inUnits } from '@keybay/waas/relay-client'
import { getSymbol } from './known-tokens.js'
import { type ChainAccount, readDecimals, readTokenAccount } from './rpc.js'

export interface Change {
  readonly arrives: boolean
  /** Amount in words, e.g. `2.5 USDC`. */
  readonly amount: string
  /** Mint of a token that the wallet has no name for. */
  readonly mint?: string | undefined
}

export interface Accounts {
  readonly addresses: readonly string[]
  readonly before: readonly ChainAccount[]
  readonly after: readonly ChainAccount[]
  readonly wallet: string
}

/** Returns the difference of each token in smallest units, by mint. */
function getTokenDifferences({ before, after, wallet }: Accounts): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  const add = (chainAccount: ChainAccount, sign: bigint) => {
    const held = readTokenAccount(chainAccount)
    if (held?.owner === wallet) sums.set(held.mint, (sums.get(held.mint) ?? 0n) + sign * held.amount)
  }
  for (const chainAccount of before) add(chainAccount, -1n)
  for (const chainAccount of after) add(chainAccount, 1n)
  return new Map([...sums].filter(([, difference]) => difference !== 0n))
}

function toChange(difference: bigint, inWords: (amount: bigint) => string, mint?: string): Change {
  const arrives = difference > 0n
  return { arrives, amount: inWords(arrives ? difference : -difference), mint }
}

/**
 * Returns what changes, SOL first. A token whose decimals the node does not say counts in its smallest units.
 * @param readMints reads the accounts of mints
 */
export async function getChanges(
  accounts: Accounts,
  readMints: (mints: readonly string[]) => Promise<readonly ChainAccount[]>,
): Promise<readonly Change[]> {
  const { before, after, addresses, wallet } = accounts
  const at = addresses.indexOf(wallet)
  const lamports = BigInt(after[at]?.lamports ?? 0) - BigInt(before[at]?.lamports ?? 0)
  const differences = getTokenDifferences(accounts)
  const mints = [...differences.keys()]
  const read = mints.length > 0 ? await readMints(mints) : []
  const tokens = mints.map((mint, index) => {
    const decimals = readDecimals(read[index])
    const symbol = decimals === undefined ? undefined : getSymbol(mint, decimals)
    const inWords = (amount: bigint) =>
      decimals === undefined ? `${amount} smallest units` : `${inUnits(amount, decimals)}${symbol ? ` ${symbol}` : ''}`
    return toChange(differences.get(mint) ?? 0n, inWords, symbol ? undefined : mint)
  })
  return [...(lamports === 0n ? [] : [toChange(lamports, inSol)]), ...tokens]
}
