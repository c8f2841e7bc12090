/** Maps explorer search text to the page that shows the result. */
import { isAddress } from '@keybay/solana'
import bs58 from 'bs58'

export function isSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && bs58.decodeUnsafe(text)?.length === 64
}

/** @returns a path, or undefined when the text is none of the three */
export function findPath(query: string): string | undefined {
  const searchText = query.trim()
  if (isSignature(searchText)) return `/tx/${searchText}`
  if (isAddress(searchText)) return `/address/${searchText}`
  if (/^\d{1,15}$/.test(searchText)) return `/block/${searchText}`
  return undefined
}
