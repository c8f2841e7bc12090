/** Describes a transaction to the user. Unknown content is shown as unknown, never omitted. */
import { type Instruction, inSol, inUnits, type TransactionMessage } from '@keybay/waas/relay-client'
import bs58 from 'bs58'
import type { Action, Line } from '../../screen/questions.js'
import { getSymbol } from './known-tokens.js'
import { ASSOCIATED, COMPUTE_BUDGET, MEMO, SYSTEM, TOKEN } from './programs.js'
import { isTo, readOpening, readTransfer, type TokenTransfer } from './tokens.js'

function address(label: string, value: string | undefined): Line {
  return { label, value: value ?? '?', address: true }
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
const MAX_TEXT = 600

function plainText(data: Uint8Array): string {
  const text = new TextDecoder().decode(data)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} … (${text.length} characters)` : text
}

function system({ accounts, data }: Instruction): Action | undefined {
  const kind = data.length >= 4 ? view(data).getUint32(0, true) : -1
  if (kind === 2 && data.length === 12)
    return {
      title: 'Send SOL',
      lines: [
        { label: 'Amount', value: inSol(view(data).getBigUint64(4, true)) },
        address('From', accounts[0]),
        address('To', accounts[1]),
      ],
    }
  if (kind === 0 && data.length === 52)
    return {
      title: 'Create an account',
      lines: [
        { label: 'Paid in', value: inSol(view(data).getBigUint64(4, true)) },
        address('New account', accounts[1]),
        address('Owned by', bs58.encode(data.subarray(20, 52))),
      ],
    }
  return undefined
}

/**
 * Names the wallets first, which the user can compare with the address that the user typed, then the token account.
 * @param owner wallet whose token account the same transaction creates for this transfer
 * @param kept amount that the token itself withholds, where the instruction names it
 */
function sendTokens(transfer: TokenTransfer, owner: string | undefined, kept: bigint | undefined): Action {
  const { amount, decimals, mint, from, to, authority } = transfer
  const symbol = getSymbol(mint, decimals)
  const inWords = (units: bigint) => `${inUnits(units, decimals)}${symbol ? ` ${symbol}` : ''}`
  return {
    title: 'Send tokens',
    lines: [
      { label: 'Amount', value: inWords(amount) },
      ...(kept === undefined ? [] : [{ label: 'The token keeps', value: inWords(kept) }]),
      ...(owner === undefined ? [] : [address('To', owner)]),
      address('To token account', to),
      authority === undefined ? address('From token account', from) : address('From', authority),
      address('Token', mint),
    ],
  }
}

/** Reads a transfer that also names the token's own fee (TransferCheckedWithFee): one like any other, and the fee. */
function readTransferWithFee({ data, ...instruction }: Instruction) {
  if (!TOKEN.has(instruction.programId) || data[0] !== 26 || data[1] !== 1 || data.length !== 19) return undefined
  const transfer = readTransfer({ ...instruction, data: Uint8Array.of(12, ...data.subarray(2, 11)) })
  return transfer && { transfer, kept: view(data).getBigUint64(11, true) }
}

function token({ accounts, data }: Instruction): Action | undefined {
  if (data[0] === 3 && data.length === 9)
    return {
      title: 'Send tokens',
      lines: [
        { label: 'Amount, smallest units', value: view(data).getBigUint64(1, true).toString() },
        address('From', accounts[0]),
        address('To', accounts[1]),
      ],
    }
  return undefined
}

function computeBudget({ data }: Instruction): Action | undefined {
  if (data[0] === 2 && data.length === 5)
    return { title: 'Compute limit', lines: [{ label: 'Units', value: String(view(data).getUint32(1, true)) }] }
  if (data[0] === 3 && data.length === 9)
    return {
      title: 'Priority fee',
      lines: [{ label: 'Micro-lamports a unit', value: view(data).getBigUint64(1, true).toString() }],
    }
  return undefined
}

function describe(instruction: Instruction, instructions: readonly Instruction[]): Action {
  const { programId, accounts, data } = instruction
  const withFee = readTransferWithFee(instruction)
  const transfer = withFee?.transfer ?? readTransfer(instruction)
  if (transfer) {
    const opened = instructions.map(readOpening).find(opening => opening && isTo(opening, transfer))
    return sendTokens(transfer, opened?.owner, withFee?.kept)
  }
  const known =
    programId === SYSTEM
      ? system(instruction)
      : TOKEN.has(programId)
        ? token(instruction)
        : programId === COMPUTE_BUDGET
          ? computeBudget(instruction)
          : programId === ASSOCIATED && data.length <= 1 && (data[0] ?? 0) <= 1
            ? { title: 'Open a token account', lines: [address('For', accounts[2]), address('Token', accounts[3])] }
            : MEMO.has(programId)
              ? { title: 'Note', lines: [{ label: 'Text', value: plainText(data) }] }
              : undefined
  if (known) return known
  return {
    title: 'Something this wallet cannot read',
    lines: [address('Program', programId), { label: 'Data', value: `${data.length} bytes` }],
    unclear: true,
  }
}

export function describeTransaction({ instructions }: TransactionMessage): readonly Action[] {
  return instructions.map(instruction => describe(instruction, instructions))
}
