/** Validates the form with messages that say what to do. The plugin checks everything again. */
import { isAddress, parseAmount } from '@keybay/solana'

export const SOL_DECIMALS = 9

/** @returns the error message, or undefined */
export function destinationProblem(to: string): string | undefined {
  const { length } = to
  if (!length) return 'Destination is required'
  if (isAddress(to)) return undefined
  if (length < 32 || length > 44)
    return `A Solana address has 32 to 44 characters; this has ${length}. Check that it was copied whole.`
  return 'This is not a Solana address. Check every character: 0, O, I and l are never part of one.'
}

export function readAmount(text: string, decimals = SOL_DECIMALS): bigint | undefined {
  try {
    return parseAmount(text, decimals)
  } catch {
    return undefined
  }
}

export function amountProblem(text: string, decimals = SOL_DECIMALS): string | undefined {
  if (!text.trim()) return 'Enter how much to send.'
  const units = readAmount(text, decimals)
  if (units === undefined) return `Enter an amount such as 0.5, with at most ${decimals} decimals.`
  return units > 0n ? undefined : 'Enter more than 0.'
}
