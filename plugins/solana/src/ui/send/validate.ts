/** Checks the form, and returns the key of the text of `sendMessages` that says what to do. The plugin checks everything again. */
import { isAddress } from '../../address.js'
import { parseAmount } from '../../amount.js'

export const SOL_DECIMALS = 9

/** Problem with a receiver. */
export type DestinationProblem = 'toMissing' | 'toLength' | 'toWrong'
/** Problem with an amount. */
export type AmountProblem = 'amountMissing' | 'amountWrong' | 'amountZero'

/** @example getDestinationProblem('abc') // 'toLength' */
export function getDestinationProblem(to: string): DestinationProblem | undefined {
  const { length } = to
  if (!length) return 'toMissing'
  if (isAddress(to)) return undefined
  return length < 32 || length > 44 ? 'toLength' : 'toWrong'
}

/** Returns the smallest units, or undefined if the text is no amount. @example readAmount('0.5') // 500000000n */
export function readAmount(text: string, decimals: number = SOL_DECIMALS): bigint | undefined {
  try {
    return parseAmount(text, decimals)
  } catch {
    return undefined
  }
}

/** @example getAmountProblem('0') // 'amountZero' */
export function getAmountProblem(text: string, decimals: number = SOL_DECIMALS): AmountProblem | undefined {
  if (!text.trim()) return 'amountMissing'
  const units = readAmount(text, decimals)
  if (units === undefined) return 'amountWrong'
  return units > 0n ? undefined : 'amountZero'
}
