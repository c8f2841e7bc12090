/** Tokens that the wallet calls by name. Any other token is shown by its address: names on the chain prove nothing. */

/** Mint → symbol and decimals, as the issuers publish them. */
const KNOWN: ReadonlyMap<string, readonly [symbol: string, decimals: number]> = new Map([
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', ['USDC', 6]],
  ['HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr', ['EURC', 6]],
  ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', ['USDT', 6]],
])

/** Returns the symbol of a token with these decimals; undefined for a token that the wallet doesn't know. */
export function getSymbol(mint: string, decimals: number): string | undefined {
  const [symbol, known] = KNOWN.get(mint) ?? []
  return known === decimals ? symbol : undefined
}

/** Returns a name that always has the address: `USDC (EPj…)`. */
export function getTokenName(mint: string, decimals: number): string {
  const symbol = getSymbol(mint, decimals)
  return symbol ? `${symbol} (${mint})` : mint
}
