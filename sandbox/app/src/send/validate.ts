/** What is wrong with the form, in words that say what to do. The plugin checks all of it again. */
import { isAddress, parseSol } from '@keybay/solana'

/** @returns what is wrong, or undefined */
export const destinationProblem = (to: string): string | undefined => {
  const { length } = to
  if (!length) return 'Destination is required'
  if (isAddress(to)) return undefined
  if (length < 32 || length > 44)
    return `A Solana address has 32 to 44 characters; this has ${length}. Check that it was copied whole.`
  return 'This is not a Solana address. Check every character: 0, O, I and l are never part of one.'
}

/** Lamports, or undefined when it is no amount. */
export const readAmount = (text: string): bigint | undefined => {
  try {
    return parseSol(text)
  } catch {
    return undefined
  }
}
export const amountProblem = (text: string): string | undefined => {
  if (!text.trim()) return 'Enter how much to send.'
  const lamports = readAmount(text)
  if (lamports === undefined) return 'Enter an amount such as 0.5, with at most 9 decimals.'
  return lamports > 0n ? undefined : 'Enter more than 0.'
}
