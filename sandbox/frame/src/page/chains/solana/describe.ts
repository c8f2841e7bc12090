/** Describes a transaction to the user. Unknown content is shown as unknown, never omitted. */
import { type Instruction, inSol, inUnits, type TransactionMessage } from '@keybay/waas/relay-client'
import bs58 from 'bs58'
import { type Action, FIRST_TIME, type Line } from '../../screen/questions.js'
import { readSolTransfer } from './destinations.js'
import { getSymbol } from './known-tokens.js'
import { ASSOCIATED, COMPUTE_BUDGET, getProgramName, MEMO, SYSTEM } from './programs.js'
import type { Recipient, Recipients } from './recipients.js'
import { readAnyTransfer, type TransferWithFee } from './token-fee.js'
import { isTo, type PlainTransfer, readOpening, readPlainTransfer } from './tokens.js'

/** Facts that the wallet knows about a transaction. */
export interface Knowledge {
  /** Owners of the token accounts, as a node says. Default: unknown. */
  readonly owners?: Recipients['owners']
  /** Returns true for an address that this browser has not sent to. Default: none. */
  readonly isNew?: (address: string) => boolean
}

function address(label: string, value: string | undefined): Line {
  return { label, value: value ?? '?', address: true }
}

/** Names a program that the wallet knows, and always shows its address. */
function programLines(label: string, programId: string): readonly Line[] {
  const name = getProgramName(programId)
  return name === undefined
    ? [address(label, programId)]
    : [{ label, value: name }, address('Program address', programId)]
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
const MAX_TEXT = 600

function plainText(data: Uint8Array): string {
  const text = new TextDecoder().decode(data)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} … (${text.length} characters)` : text
}

/** @param addresses the addresses of one recipient */
function firstTime(addresses: readonly (string | undefined)[], { isNew = () => false }: Knowledge): readonly Line[] {
  const known = addresses.filter(each => each !== undefined)
  return known.length > 0 && known.every(isNew) ? [FIRST_TIME] : []
}

function system(instruction: Instruction, knowledge: Knowledge): Action | undefined {
  const { accounts, data } = instruction
  const sol = readSolTransfer(instruction)
  if (sol)
    return {
      title: 'Send SOL',
      lines: [
        { label: 'Amount', value: inSol(sol.lamports), large: true },
        address('From', sol.from),
        address('To', sol.to),
        ...firstTime([sol.to], knowledge),
      ],
    }
  if (data.length === 52 && view(data).getUint32(0, true) === 0)
    return {
      title: 'Create an account',
      lines: [
        { label: 'Paid in', value: inSol(view(data).getBigUint64(4, true)) },
        address('New account', accounts[1]),
        ...programLines('Owned by', bs58.encode(data.subarray(20, 52))),
      ],
    }
  return undefined
}

function recipientLines({ owner, isVerified }: Recipient): readonly Line[] {
  return isVerified
    ? [address('To', owner), { label: 'Verified', value: 'This wallet’s own account for the token' }]
    : [address('To, says the network', owner)]
}

/**
 * Names the wallets first, which the user can compare with the address that the user typed, then the token account.
 * @param opened wallet whose token account the same transaction creates for this transfer
 */
function sendTokens({ transfer, kept }: TransferWithFee, opened: string | undefined, knowledge: Knowledge): Action {
  const { amount, decimals, mint, from, to, authority } = transfer
  const recipient = knowledge.owners?.get(to)
  const symbol = getSymbol(mint, decimals)
  const inWords = (units: bigint) => `${inUnits(units, decimals)}${symbol ? ` ${symbol}` : ''}`
  return {
    title: 'Send tokens',
    lines: [
      { label: 'Amount', value: inWords(amount), large: true },
      ...(kept === undefined ? [] : [{ label: 'The token keeps', value: inWords(kept) }]),
      ...(opened === undefined ? (recipient ? recipientLines(recipient) : []) : [address('To', opened)]),
      address('To token account', to),
      ...firstTime([to, opened ?? (recipient?.isVerified ? recipient.owner : undefined)], knowledge),
      authority === undefined ? address('From token account', from) : address('From', authority),
      address('Token', mint),
    ],
  }
}

/** The instruction names no token. A verified owner proves it, because the account's address is derived from both. */
function sendPlainTokens({ from, to, amount }: PlainTransfer, knowledge: Knowledge): Action {
  const recipient = knowledge.owners?.get(to)
  const verified = recipient?.isVerified ? recipient : undefined
  return {
    title: 'Send tokens',
    lines: [
      { label: 'Amount, smallest units', value: amount.toString(), large: true },
      ...(recipient ? recipientLines(recipient) : []),
      address('To token account', to),
      ...firstTime([to, verified?.owner], knowledge),
      address('From token account', from),
      ...(verified ? [address('Token', verified.mint)] : []),
    ],
  }
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

function describe(instruction: Instruction, instructions: readonly Instruction[], knowledge: Knowledge): Action {
  const { programId, accounts, data } = instruction
  const sent = readAnyTransfer(instruction)
  if (sent) {
    const opened = instructions.map(readOpening).find(opening => opening && isTo(opening, sent.transfer))
    return sendTokens(sent, opened?.owner, knowledge)
  }
  const plain = readPlainTransfer(instruction)
  const known =
    programId === SYSTEM
      ? system(instruction, knowledge)
      : plain
        ? sendPlainTokens(plain, knowledge)
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
    lines: [
      ...programLines('Program', programId),
      { label: 'Data', value: data.length === 1 ? '1 byte' : `${data.length} bytes` },
    ],
    unclear: true,
  }
}

export function describeTransaction(
  { instructions }: TransactionMessage,
  knowledge: Knowledge = {},
): readonly Action[] {
  return instructions.map(instruction => describe(instruction, instructions, knowledge))
}
