/**
 * Instructions of a transfer, byte for byte as each program's own client encodes them (the tests compare): System, Memo,
 * ComputeBudget, SPL Token, Token-2022, associated accounts.
 */
import type { Instruction, InstructionAccount } from '../instruction.js'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  RECENT_BLOCKHASHES_SYSVAR,
  SYSTEM_PROGRAM,
} from './addresses.js'
import { concatBytes, u32, u64 } from './bytes.js'

function reads(address: string): InstructionAccount {
  return { address }
}

function writes(address: string): InstructionAccount {
  return { address, writable: true }
}

function signs(address: string): InstructionAccount {
  return { address, signer: true }
}

function pays(address: string): InstructionAccount {
  return { address, signer: true, writable: true }
}
/** System 2 */
export function transferSol(from: string, to: string, lamports: bigint): Instruction {
  return { program: SYSTEM_PROGRAM, accounts: [pays(from), writes(to)], data: concatBytes(u32(2), u64(lamports)) }
}
/** System 4: must be the first instruction of a transaction with a durable nonce. */
export function advanceNonce(account: string, authority: string): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writes(account), reads(RECENT_BLOCKHASHES_SYSVAR), signs(authority)],
    data: u32(4),
  }
}

export function memo(text: string, signer: string): Instruction {
  return { program: MEMO_PROGRAM, accounts: [signs(signer)], data: new TextEncoder().encode(text) }
}
/** ComputeBudget 2 */
export function computeUnitLimit(units: number): Instruction {
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data: concatBytes([2], u32(units)) }
}
/** ComputeBudget 3. @param microLamports for each compute unit of the limit */
export function computeUnitPrice(microLamports: bigint): Instruction {
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data: concatBytes([3], u64(microLamports)) }
}

export interface TokenTransfer {
  readonly program: string
  readonly mint: string
  readonly decimals: number
  readonly source: string
  readonly destination: string
  readonly owner: string
  readonly amount: bigint
}

function tokenAccounts({ source, mint, destination, owner }: TokenTransfer) {
  return [writes(source), reads(mint), writes(destination), signs(owner)]
}
/** Token 12, TransferChecked: the program also checks the mint and its decimals. */
export function transferToken(transfer: TokenTransfer): Instruction {
  return {
    program: transfer.program,
    accounts: tokenAccounts(transfer),
    data: concatBytes([12], u64(transfer.amount), [transfer.decimals]),
  }
}
/** Token-2022 26/1, TransferCheckedWithFee: fails if the token would withhold any other fee. */
export function transferTokenWithFee(transfer: TokenTransfer, fee: bigint): Instruction {
  return {
    program: transfer.program,
    accounts: tokenAccounts(transfer),
    data: concatBytes([26, 1], u64(transfer.amount), [transfer.decimals], u64(fee)),
  }
}
/** Associated Token 1, CreateIdempotent: succeeds even if the account already exists. */
export function createAssociated(made: {
  readonly payer: string
  readonly account: string
  readonly owner: string
  readonly mint: string
  readonly program: string
}): Instruction {
  return {
    program: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      pays(made.payer),
      writes(made.account),
      reads(made.owner),
      reads(made.mint),
      reads(SYSTEM_PROGRAM),
      reads(made.program),
    ],
    data: concatBytes([1]),
  }
}
