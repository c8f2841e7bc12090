/** Lists where a transaction sends, so that the window can say which recipients are new to this browser. */
import type { Instruction, TransactionMessage } from '@keybay/waas/relay-client'
import { SYSTEM, TOKEN } from './programs.js'
import { readOpening } from './tokens.js'

/** Kind of a token transfer → position of the account that receives: Transfer, TransferChecked, and the one with a fee. */
const RECEIVERS: Readonly<Record<number, number>> = { 3: 1, 12: 2, 26: 2 }

export interface SolTransfer {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly lamports: bigint
}

export function readSolTransfer({ programId, accounts, data }: Instruction): SolTransfer | undefined {
  if (programId !== SYSTEM || data.length !== 12) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (view.getUint32(0, true) !== 2) return undefined
  return { from: accounts[0], to: accounts[1], lamports: view.getBigUint64(4, true) }
}

function getDestination(instruction: Instruction): string | undefined {
  const { programId, accounts, data } = instruction
  if (TOKEN.has(programId)) return accounts[RECEIVERS[data[0] ?? -1] ?? -1]
  return readSolTransfer(instruction)?.to ?? readOpening(instruction)?.owner
}

/** Returns wallets and token accounts. */
export function listDestinations({ instructions }: TransactionMessage): readonly string[] {
  return [...new Set(instructions.flatMap(instruction => getDestination(instruction) ?? []))]
}
