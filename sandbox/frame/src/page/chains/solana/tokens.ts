/** Reads transfers of tokens, and the accounts that receive them. */
import type { Instruction } from '@keybay/waas/relay-client'
import { ASSOCIATED, TOKEN } from './programs.js'

/** Bytes of a `TransferChecked`: its number, the amount, and the decimals of the token. */
const [TRANSFER_CHECKED, TRANSFER_BYTES] = [12, 10] as const

/** Transfer that names its token and its decimals. The chain refuses it if the mint has others. */
export interface TokenTransfer {
  readonly from: string
  readonly mint: string
  /** Token account of the recipient. */
  readonly to: string
  /** In the token's smallest unit. */
  readonly amount: bigint
  readonly decimals: number
  /** Only signer for the tokens; undefined if there are more, or accounts for a program of the mint. */
  readonly authority: string | undefined
}

export function readTransfer({ programId, accounts, data }: Instruction): TokenTransfer | undefined {
  const [from, mint, to, authority] = accounts
  if (!TOKEN.has(programId) || data.length !== TRANSFER_BYTES || data[0] !== TRANSFER_CHECKED) return undefined
  if (from === undefined || mint === undefined || to === undefined) return undefined
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(1, true)
  return { from, mint, to, amount, decimals: data[9] ?? 0, authority: accounts.length === 4 ? authority : undefined }
}

/** Kind and bytes of a `Transfer`, which names neither its token nor its decimals. */
const [TRANSFER, PLAIN_BYTES] = [3, 9] as const

/** Transfer whose token only its accounts know. */
export type PlainTransfer = Pick<TokenTransfer, 'from' | 'to' | 'amount'>

export function readPlainTransfer({ programId, accounts, data }: Instruction): PlainTransfer | undefined {
  const [from, to] = accounts
  if (!TOKEN.has(programId) || data.length !== PLAIN_BYTES || data[0] !== TRANSFER) return undefined
  if (from === undefined || to === undefined) return undefined
  return { from, to, amount: new DataView(data.buffer, data.byteOffset).getBigUint64(1, true) }
}

/** Creation of a wallet's token account. The chain refuses it if the account is another wallet's. */
export interface Opening {
  readonly payer: string
  readonly account: string
  readonly owner: string
  readonly mint: string
  readonly program: string
}

export function readOpening({ programId, accounts, data }: Instruction): Opening | undefined {
  const [payer, account, owner, mint, , program] = accounts
  if (programId !== ASSOCIATED || data.length > 1 || (data[0] ?? 0) > 1) return undefined
  if (payer === undefined || account === undefined || owner === undefined) return undefined
  return mint !== undefined && program !== undefined ? { payer, account, owner, mint, program } : undefined
}

/** Returns true if the transfer goes to the account that the opening creates. */
export function isTo({ account, mint }: Opening, transfer: Pick<TokenTransfer, 'to' | 'mint'>): boolean {
  return transfer.to === account && transfer.mint === mint
}
