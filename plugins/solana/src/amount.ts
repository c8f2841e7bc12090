/** SOL as people write it ↔ lamports as the chain counts them. Nothing is rounded: what does not fit is refused. */
import { KeybayError } from '@keybay/kernel'
import { DECIMALS, MOST_LAMPORTS, solText } from './decimal.js'
import { amountInvalid } from './errors.js'

/**
 * @example parseSol('1.5') // 1500000000n
 * @throws KeybayError `amount_invalid`: not a plain decimal number, more than 9 decimals, or more than 64 bits hold
 */
export const parseSol = (text: string): bigint => {
  const [, whole = '', fraction = ''] = /^\s*(\d{1,11})(?:\.(\d{1,9}))?\s*$/.exec(text) ?? []
  const lamports = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  if (!whole || lamports > MOST_LAMPORTS) throw new KeybayError(amountInvalid)
  return lamports
}

/**
 * @example formatSol(1500000000n) // '1.5'
 * @throws KeybayError `amount_invalid`: negative, or more than 64 bits hold
 */
export const formatSol = (lamports: bigint): string => {
  if (lamports < 0n || lamports > MOST_LAMPORTS) throw new KeybayError(amountInvalid)
  return solText(lamports)
}
