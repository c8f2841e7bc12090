/** Shows what a transaction costs beyond what it sends. Apart from costs.ts, because it loads with the visible frame. */
import { inSol, type TransactionMessage } from '@keybay/waas/relay-client'
import type { Action } from '../../screen/questions.js'
import { getFee, getRent } from './costs.js'
import { SPL_TOKEN } from './programs.js'
import { readOpening } from './tokens.js'

/**
 * Describes what the transaction costs the wallet, and on which network.
 * @param network name of the network that knows the transaction's blockhash
 */
export function describeCosts(transaction: TransactionMessage, wallet: string, network = 'Solana'): Action {
  const [payer = '?'] = transaction.signers
  const openings = transaction.instructions.flatMap(instruction => readOpening(instruction) ?? [])
  const paid = openings.filter(opening => opening.payer === wallet)
  const rent = paid.reduce((sum, opening) => sum + getRent(opening), 0n)
  const isLimit = paid.some(({ program }) => program !== SPL_TOKEN)
  const label = `New token account${paid.length > 1 ? 's' : ''}${isLimit ? ', at most' : ''}`
  return {
    title: 'Costs',
    lines: [
      { label: 'Network', value: network },
      { label: 'Network fee', value: inSol(getFee(transaction)) },
      ...(rent > 0n ? [{ label, value: inSol(rent) }] : []),
      ...(payer === wallet ? [] : [{ label: 'Paid by', value: payer, address: true }]),
    ],
  }
}
