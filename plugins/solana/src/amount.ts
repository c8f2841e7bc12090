/** Converts between decimal amounts and smallest units. Never rounds: rejects what does not fit. */
import { KeybayError } from '@keybay/kernel'
import { DECIMALS, decimalText, MAX_LAMPORTS } from './decimal.js'
import { amountInvalid } from './errors.js'

/** A mint stores its decimals in one byte. */
const MAX_DECIMALS = 255

function checkDecimals(decimals: number) {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) throw new KeybayError(amountInvalid)
}
/**
 * Returns the amount in the smallest units of a token, or of SOL with 9 decimals.
 * @example parseAmount('1.5', 6) // 1500000n
 * @throws KeybayError `amount_invalid`: not a plain decimal number, more decimals than the token has, or more than 64 bits
 */
export function parseAmount(text: string, decimals: number): bigint {
  checkDecimals(decimals)
  const [, whole = '', fraction = ''] = /^\s*(\d{1,20})(?:\.(\d{1,255}))?\s*$/.exec(text) ?? []
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (!whole || fraction.length > decimals || amount > MAX_LAMPORTS) throw new KeybayError(amountInvalid)
  return amount
}
/** @example formatAmount(1500000n, 6) // '1.5' @throws KeybayError `amount_invalid`: negative, or more than 64 bits */
export function formatAmount(amount: bigint, decimals: number): string {
  checkDecimals(decimals)
  if (amount < 0n || amount > MAX_LAMPORTS) throw new KeybayError(amountInvalid)
  return decimalText(amount, decimals)
}
/**
 * @example parseSol('1.5') // 1500000000n
 * @throws KeybayError `amount_invalid`: not a plain decimal number, more than 9 decimals, or more than 64 bits
 */
export function parseSol(text: string): bigint {
  return parseAmount(text, DECIMALS)
}
/** @example formatSol(1500000000n) // '1.5' @throws KeybayError `amount_invalid`: negative, or more than 64 bits */
export function formatSol(lamports: bigint): string {
  return formatAmount(lamports, DECIMALS)
}
