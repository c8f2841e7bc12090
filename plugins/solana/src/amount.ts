/** SOL as people write it ↔ lamports as the chain counts them. Nothing is rounded: what does not fit is refused. */
import { KeybayError } from '@keybay/kernel'
import { amountInvalid } from './errors.js'

const DECIMALS = 9
/** The chain counts in 64 bits. */
export const MOST_LAMPORTS: bigint = 2n ** 64n - 1n

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
  const digits = String(lamports).padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}
