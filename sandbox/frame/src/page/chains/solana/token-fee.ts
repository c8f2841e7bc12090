/** Reads transfers that also name the token's own fee. Apart from tokens.ts, because it loads with the visible frame. */
import type { Instruction } from '@keybay/waas/relay-client'
import { TOKEN } from './programs.js'
import { readTransfer, type TokenTransfer } from './tokens.js'

export interface TransferWithFee {
  readonly transfer: TokenTransfer
  /** Amount that the token itself withholds, where the instruction names it. */
  readonly kept: bigint | undefined
}

/** Reads a transfer with a fee (TransferCheckedWithFee) as one like any other, and the fee. */
function readFee({ data, ...instruction }: Instruction): TransferWithFee | undefined {
  if (!TOKEN.has(instruction.programId) || data[0] !== 26 || data[1] !== 1 || data.length !== 19) return undefined
  const transfer = readTransfer({ ...instruction, data: Uint8Array.of(12, ...data.subarray(2, 11)) })
  return transfer && { transfer, kept: new DataView(data.buffer, data.byteOffset).getBigUint64(11, true) }
}

export function readAnyTransfer(instruction: Instruction): TransferWithFee | undefined {
  const transfer = readTransfer(instruction)
  return transfer ? { transfer, kept: undefined } : readFee(instruction)
}
