/** Tokens of the chain's faucet, and their names. */
import { shorten } from '@keybay/kernel/spec'
import { formatAmount } from '@keybay/solana'
import { chainUrl } from '../config.js'
import { groupDecimal } from '../design/format.js'

/** Names are not verified, so a token from outside the sandbox appears by its address. */
function getSymbol(mint: string): string {
  return findDemoToken(mint)?.symbol ?? shorten(mint)
}

/** @example `1,234.5 DEMO` */
export function tokenText(
  amount: bigint,
  { mint, decimals }: { readonly mint: string; readonly decimals: number },
): string {
  return `${groupDecimal(formatAmount(amount, decimals))} ${getSymbol(mint)}`
}

/** `order`: mint parameters for the chain's faucet. */
const DEMO_TOKENS = [
  {
    mint: '2BUisbSVMhutnXfLtGgdyqXdXgL59BqJ9ehqcfZSC4JP',
    symbol: 'DEMO',
    name: 'Demo token',
    order: { program: 'spl-token' },
  },
  {
    mint: 'GNpucKL8cxumsJ3Gta7Rri18SHMrx4BdiQwviZBQo179',
    symbol: 'FEE',
    name: 'Keeps 1 % of each transfer',
    order: { program: 'spl-token-2022', feature: 'transfer-fee' },
  },
  {
    mint: '811nNpDdQ9S2rrNvLXpo6GrmXnTdbZbe75nN6L2jR5iK',
    symbol: 'BOUND',
    name: 'Stays with its holder',
    order: { program: 'spl-token-2022', feature: 'non-transferable' },
  },
  {
    mint: 'B6zEDEvpFyW27UySvukxvZcAkXyQyG7hhJoRmqVJrD5q',
    symbol: 'NOTE',
    name: 'The faucet takes it with a note',
    order: { program: 'spl-token-2022', feature: 'memo-required' },
  },
]

/** Returns one of the tokens of the chain's faucet. */
export function findDemoToken(mint: string) {
  return DEMO_TOKENS.find(token => token.mint === mint)
}

/** 100 of each token, which has 6 decimals. */
const AMOUNT = '100000000'

/** @throws Error when the faucet refuses */
export async function mintDemoTokens(owner: string, signal: AbortSignal): Promise<void> {
  for (const { symbol, order } of DEMO_TOKENS) {
    const response = await fetch(`${chainUrl}/admin/mint`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner, symbol, amount: AMOUNT, ...order }),
      signal,
    })
    if (!response.ok) throw new Error('The faucet of this chain gives no tokens.')
  }
}
