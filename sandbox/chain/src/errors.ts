import {
  type FailedTransactionMetadata,
  InstructionErrorBorshIo,
  InstructionErrorCustom,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
  TransactionErrorProgramExecutionTemporarilyRestricted,
} from 'litesvm/dist/internal.js'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './error-tables.js'

/** Instruction error in Solana's JSON form. */
export type InstructionError = string | { Custom: number } | { BorshIoError: string }

/** Transaction error in Solana's JSON form: `'BlockhashNotFound'`, `{ InstructionError: [0, { Custom: 1 }] }`. */
export type TransactionError =
  | string
  | { InstructionError: [number, InstructionError] }
  | { DuplicateInstruction: number }
  | { InsufficientFundsForRent: { account_index: number } }
  | { ProgramExecutionTemporarilyRestricted: { account_index: number } }

function getName(table: readonly (readonly [string, string])[], code: number): string {
  return table[code]?.[0] ?? `Unknown${code}`
}

function findText(table: readonly (readonly [string, string])[], name: string): string {
  return table.find(([key]) => key === name)?.[1] ?? name
}

/** Converts the VM's error numbers to the names that clients expect. */
export function transactionError(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err()
  if (error instanceof TransactionErrorInstructionError)
    return { InstructionError: [error.index, instructionError(error)] }
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } }
  }
  if (error instanceof TransactionErrorDuplicateInstruction) return { DuplicateInstruction: error.index }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } }
  }
  return getName(TRANSACTION_ERRORS, error)
}

function instructionError(error: TransactionErrorInstructionError): InstructionError {
  const inner = error.err()
  if (inner instanceof InstructionErrorCustom) return { Custom: inner.code }
  if (inner instanceof InstructionErrorBorshIo) return { BorshIoError: inner.msg }
  return getName(INSTRUCTION_ERRORS, inner)
}

/** Returns Agave's message for an error, which wallets and web3.js show to users. */
export function errorText(error: TransactionError): string {
  if (typeof error === 'string') return findText(TRANSACTION_ERRORS, error)
  if ('InstructionError' in error) {
    const [index, inner] = error.InstructionError
    return `Error processing Instruction ${index}: ${instructionErrorText(inner)}`
  }
  if ('DuplicateInstruction' in error) {
    return `Transaction contains a duplicate instruction (${error.DuplicateInstruction}) that is not allowed`
  }
  if ('InsufficientFundsForRent' in error) {
    return `Transaction results in an account (${error.InsufficientFundsForRent.account_index}) with insufficient funds for rent`
  }
  const { account_index } = error.ProgramExecutionTemporarilyRestricted
  return `Execution of the program referenced by account at index ${account_index} is temporarily restricted.`
}

function instructionErrorText(error: InstructionError): string {
  if (typeof error === 'string') return findText(INSTRUCTION_ERRORS, error)
  if ('Custom' in error) return `custom program error: 0x${error.Custom.toString(16)}`
  return `Failed to serialize or deserialize account data: ${error.BorshIoError}`
}
