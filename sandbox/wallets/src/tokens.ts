/** Reads transfers of tokens, and the accounts that receive them. */
import type { Instruction } from './transaction.js'

export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** Mint → symbol and decimals: the sandbox's demo tokens, and those that the issuers publish. */
const KNOWN: Readonly<Record<string, readonly [symbol: string, decimals: number]>> = {
  '2BUisbSVMhutnXfLtGgdyqXdXgL59BqJ9ehqcfZSC4JP': ['DEMO', 6],
  GNpucKL8cxumsJ3Gta7Rri18SHMrx4BdiQwviZBQo179: ['FEE', 6],
  '811nNpDdQ9S2rrNvLXpo6GrmXnTdbZbe75nN6L2jR5iK': ['BOUND', 6],
  B6zEDEvpFyW27UySvukxvZcAkXyQyG7hhJoRmqVJrD5q: ['NOTE', 6],
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: ['USDC', 6],
  Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: ['USDT', 6],
}

export interface TokenTransfer {
  /** In words: `5 DEMO`, `1.5 of an unknown token`. */
  readonly amount: string
  /** Undefined where the instruction does not name it. */
  readonly mint: string | undefined
  /** Token account of the recipient. */
  readonly account: string
}

/** Formats an amount exactly: 1500000n, 6 → `1.5`. */
export function inUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return `${digits.slice(0, digits.length - decimals)}${fraction && `.${fraction}`}`
}

function withName(amount: bigint, decimals: number, mint: string | undefined): string {
  const [symbol, known] = KNOWN[mint ?? ''] ?? []
  return `${inUnits(amount, decimals)} ${symbol !== undefined && known === decimals ? symbol : 'of an unknown token'}`
}

/** Reads Transfer (3), TransferChecked (12) and TransferCheckedWithFee (26, 1) of both token programs. */
export function readTransfer({ program, accounts, data }: Instruction): TokenTransfer | undefined {
  if (program !== TOKEN && program !== TOKEN_2022) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [, second, third] = accounts
  if (data[0] === 3 && data.length === 9 && second !== undefined)
    return { amount: `${view.getBigUint64(1, true)} smallest units of a token`, mint: undefined, account: second }
  const start = data[0] === 12 && data.length === 10 ? 1 : data[0] === 26 && data[1] === 1 && data.length === 19 ? 2 : 0
  if (start === 0 || second === undefined || third === undefined) return undefined
  return {
    amount: withName(view.getBigUint64(start, true), data[start + 8] ?? 0, second),
    mint: second,
    account: third,
  }
}

/** Creation of a wallet's token account, for which the payer leaves a deposit. */
export interface Opening {
  readonly account: string
  readonly owner: string
}

export function readOpening({ program, accounts, data }: Instruction): Opening | undefined {
  const [, account, owner] = accounts
  if (program !== ASSOCIATED || data.length > 1 || (data[0] ?? 0) > 1) return undefined
  return account !== undefined && owner !== undefined ? { account, owner } : undefined
}
