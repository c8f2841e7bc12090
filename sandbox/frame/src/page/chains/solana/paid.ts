/** Lists whom the wallet itself sends an amount. Only they become known: what costs the wallet nothing must not. */
import type { Instruction, TransactionMessage } from '@keybay/waas/relay-client'
import { readSolTransfer } from './destinations.js'
import { readAnyTransfer } from './token-fee.js'
import { readOpening, readPlainTransfer } from './tokens.js'

interface Payment {
  readonly amount: bigint
  readonly payer: string | undefined
  readonly to: string | undefined
}

function readPayment(instruction: Instruction): Payment | undefined {
  const sol = readSolTransfer(instruction)
  if (sol) return { amount: sol.lamports, payer: sol.from, to: sol.to }
  const transfer = readAnyTransfer(instruction)?.transfer
  if (transfer) return { ...transfer, payer: instruction.accounts[3] }
  const plain = readPlainTransfer(instruction)
  return plain && { ...plain, payer: instruction.accounts[2] }
}

/** Returns wallets and token accounts, and the owners of accounts that the same transaction opens for the transfer. */
export function listPaid({ instructions }: TransactionMessage, wallet: string): readonly string[] {
  const payments = instructions.flatMap(instruction => readPayment(instruction) ?? [])
  const paid = payments.flatMap(({ amount, payer, to }) => (amount > 0n && payer === wallet && to ? to : []))
  const openings = instructions.flatMap(instruction => readOpening(instruction) ?? [])
  const owners = openings.flatMap(({ account, owner }) => (paid.includes(account) ? owner : []))
  return [...new Set([...paid, ...owners])]
}
