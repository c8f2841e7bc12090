/**
 * The instructions that a transfer is made of, each byte for byte as the program's own client writes it (the tests
 * compare): System, Memo, ComputeBudget, SPL Token, Token-2022, associated accounts.
 */
import type { Instruction, InstructionAccount } from '../instruction.js'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  RECENT_BLOCKHASHES_SYSVAR,
  SYSTEM_PROGRAM,
} from './addresses.js'
import { bytesOf, u32, u64 } from './bytes.js'

const reads = (address: string): InstructionAccount => ({ address })
const writes = (address: string): InstructionAccount => ({ address, writable: true })
const signs = (address: string): InstructionAccount => ({ address, signer: true })
const pays = (address: string): InstructionAccount => ({ address, signer: true, writable: true })

/** System 2 */
export const transferSol = (from: string, to: string, lamports: bigint): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [pays(from), writes(to)],
  data: bytesOf(u32(2), u64(lamports)),
})
/** System 4: must be the first instruction of a transaction that stands on a durable nonce. */
export const advanceNonce = (account: string, authority: string): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [writes(account), reads(RECENT_BLOCKHASHES_SYSVAR), signs(authority)],
  data: u32(4),
})
export const memo = (text: string, signer: string): Instruction => ({
  program: MEMO_PROGRAM,
  accounts: [signs(signer)],
  data: new TextEncoder().encode(text),
})
/** ComputeBudget 2 */
export const computeUnitLimit = (units: number): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: bytesOf([2], u32(units)),
})
/** ComputeBudget 3. @param microLamports for each compute unit of the limit */
export const computeUnitPrice = (microLamports: bigint): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: bytesOf([3], u64(microLamports)),
})

export interface TokenTransfer {
  readonly program: string
  readonly mint: string
  readonly decimals: number
  readonly source: string
  readonly destination: string
  readonly owner: string
  readonly amount: bigint
}
const tokenAccounts = ({ source, mint, destination, owner }: TokenTransfer) => [
  writes(source),
  reads(mint),
  writes(destination),
  signs(owner),
]
/** Token 12, TransferChecked: the mint and its decimals are checked by the program too. */
export const transferToken = (transfer: TokenTransfer): Instruction => ({
  program: transfer.program,
  accounts: tokenAccounts(transfer),
  data: bytesOf([12], u64(transfer.amount), [transfer.decimals]),
})
/** Token-2022 26/1, TransferCheckedWithFee: fails when the token would keep anything but what was told. */
export const transferTokenWithFee = (transfer: TokenTransfer, fee: bigint): Instruction => ({
  program: transfer.program,
  accounts: tokenAccounts(transfer),
  data: bytesOf([26, 1], u64(transfer.amount), [transfer.decimals], u64(fee)),
})
/** Associated Token 1, CreateIdempotent: no failure when someone else was quicker. */
export const createAssociated = (made: {
  readonly payer: string
  readonly account: string
  readonly owner: string
  readonly mint: string
  readonly program: string
}): Instruction => ({
  program: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    pays(made.payer),
    writes(made.account),
    reads(made.owner),
    reads(made.mint),
    reads(SYSTEM_PROGRAM),
    reads(made.program),
  ],
  data: bytesOf([1]),
})
