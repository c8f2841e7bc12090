/** Describes an instruction in words, where the sandbox wallet knows the instruction. */
import bs58 from 'bs58'
import { COMPUTE_BUDGET } from './fees.js'
import { ASSOCIATED, inUnits, readOpening, readTransfer, TOKEN, TOKEN_2022 } from './tokens.js'
import type { Instruction, Transaction } from './transaction.js'

const SYSTEM = '11111111111111111111111111111111'
const MEMO = new Set(['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'])
const PROGRAMS: Readonly<Record<string, string>> = {
  [SYSTEM]: 'System Program',
  [COMPUTE_BUDGET]: 'Compute Budget',
  [TOKEN]: 'Token Program',
  [TOKEN_2022]: 'Token-2022 Program',
  [ASSOCIATED]: 'Associated Token Account',
  AddressLookupTab1e1111111111111111111111111: 'Address Lookup Table',
  Stake11111111111111111111111111111111111111: 'Stake Program',
}
/** Index of Transfer among the System Program's instructions; 8 bytes of lamports follow, little-endian. */
const TRANSFER = 2
const SOL_DECIMALS = 9

export type Summary =
  | { readonly kind: 'transfer'; readonly to: string; readonly lamports: bigint }
  | {
      readonly kind: 'tokens'
      readonly amount: string
      readonly mint: string | undefined
      /** Token account of the recipient. */
      readonly account: string
      /** Wallet whose token account it is, where the same transaction creates the account. */
      readonly owner: string | undefined
    }
  | { readonly kind: 'opening'; readonly owner: string }
  | { readonly kind: 'memo'; readonly text: string }
  | { readonly kind: 'other'; readonly program: string; readonly accounts: number; readonly data: string }

function describeInstruction(instruction: Instruction, { instructions }: Transaction): Summary {
  const { program, accounts, data } = instruction
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === TRANSFER)
    return {
      kind: 'transfer',
      to: accounts[1] ?? 'an address from a lookup table',
      lamports: view.getBigUint64(4, true),
    }
  const transfer = readTransfer(instruction)
  if (transfer) {
    const openings = instructions.flatMap(other => readOpening(other) ?? [])
    const owner = openings.find(({ account }) => account === transfer.account)?.owner
    return { kind: 'tokens', ...transfer, owner }
  }
  const opening = readOpening(instruction)
  if (opening) return { kind: 'opening', owner: opening.owner }
  if (MEMO.has(program)) return { kind: 'memo', text: new TextDecoder().decode(data) }
  return { kind: 'other', program: PROGRAMS[program] ?? program, accounts: accounts.length, data: bs58.encode(data) }
}

/** Transfers come first, regardless of the instructions that the app put before them. */
const ORDER = ['transfer', 'tokens', 'opening', 'memo', 'other']

/** Describes everything that the transaction does; what only sets the fee is part of the fee. */
export function describeTransaction(transaction: Transaction): readonly Summary[] {
  return transaction.instructions
    .filter(({ program }) => program !== COMPUTE_BUDGET)
    .map(instruction => describeInstruction(instruction, transaction))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/** Formats lamports exactly: 1500000000n → `1.5 SOL`. */
export function formatSol(lamports: bigint): string {
  return `${inUnits(lamports, SOL_DECIMALS)} SOL`
}
