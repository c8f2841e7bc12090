/** Says in English what is wrong with a receiver or an amount, in the words of the kit's form. */
import { sendMessages } from '@keybay/react/ui'
import { getAmountProblem, getDestinationProblem } from '@keybay/solana/ui'

export { readAmount } from '@keybay/solana/ui'

const { texts } = sendMessages
const SOL_DECIMALS = 9

/** @returns the error message, or undefined */
export function destinationProblem(to: string): string | undefined {
  const problem = getDestinationProblem(to)
  return problem && texts[problem].replace('{length}', String(to.length))
}

/** @returns the error message, or undefined */
export function amountProblem(text: string): string | undefined {
  const problem = getAmountProblem(text)
  return problem && texts[problem].replace('{decimals}', String(SOL_DECIMALS))
}
