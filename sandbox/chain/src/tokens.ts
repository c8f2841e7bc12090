import bs58 from 'bs58'
import { isTokenProgram } from './programs.js'
import type { AccountState, Vm } from './vm.js'

const MINT_SIZE = 82
const ACCOUNT_SIZE = 165
/** Token-2022 stores the kind of account after the padding: 1 mint, 2 token account. Extensions follow it. */
const KIND_OFFSET = 165

export interface Mint {
  readonly mintAuthority: string | null
  readonly freezeAuthority: string | null
  readonly supply: bigint
  readonly decimals: number
  readonly isInitialized: boolean
}

export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly delegate: string | null
  readonly delegatedAmount: bigint
  readonly state: 'uninitialized' | 'initialized' | 'frozen'
  /** Lamports that stay in the account; for wrapped SOL only. */
  readonly rentExemptReserve: bigint | null
  readonly closeAuthority: string | null
}

export interface TokenAmount {
  readonly amount: string
  readonly decimals: number
  readonly uiAmount: number | null
  readonly uiAmountString: string
}

function key(data: Buffer, offset: number): string {
  return bs58.encode(data.subarray(offset, offset + 32))
}

function optionalKey(data: Buffer, offset: number): string | null {
  return data.readUInt32LE(offset) === 1 ? key(data, offset + 4) : null
}

export function readMint({ owner, data }: AccountState): Mint | null {
  if (!isTokenProgram(owner)) return null
  if (data.length !== MINT_SIZE && data[KIND_OFFSET] !== 1) return null
  return {
    mintAuthority: optionalKey(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data.readUInt8(44),
    isInitialized: data[45] === 1,
    freezeAuthority: optionalKey(data, 46),
  }
}

export function readTokenAccount({ owner, data }: AccountState): TokenAccount | null {
  if (!isTokenProgram(owner)) return null
  if (data.length !== ACCOUNT_SIZE && data[KIND_OFFSET] !== 2) return null
  const state = (['uninitialized', 'initialized', 'frozen'] as const)[data.readUInt8(108)]
  if (!state) return null
  return {
    mint: key(data, 0),
    owner: key(data, 32),
    amount: data.readBigUInt64LE(64),
    delegate: optionalKey(data, 72),
    state,
    rentExemptReserve: data.readUInt32LE(109) === 1 ? data.readBigUInt64LE(113) : null,
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: optionalKey(data, 129),
  }
}

/** Formats an amount as the RPC does. @example tokenAmount(1500n, 3) // uiAmountString '1.5' */
export function tokenAmount(amount: bigint, decimals: number): TokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  const uiAmountString = fraction ? `${digits.slice(0, split)}.${fraction}` : digits.slice(0, split)
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

/** Source of accounts: the chain, or its state after a simulation. */
export type Accounts = Pick<Vm, 'account'>

/** Returns the decimals of a mint; 0 when the mint no longer exists. */
export function getDecimals(vm: Accounts, mint: string): number {
  const account = vm.account(mint)
  return (account && readMint(account)?.decimals) ?? 0
}

export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly uiTokenAmount: TokenAmount
}

/** Returns the balances of a transaction's token accounts. Empty when the transaction names no token program. */
export function tokenBalances(vm: Accounts, addresses: readonly string[]): TokenBalance[] {
  if (!addresses.some(isTokenProgram)) return []
  return addresses.flatMap((address, accountIndex) => {
    const account = vm.account(address)
    const token = account && readTokenAccount(account)
    if (!token) return []
    const uiTokenAmount = tokenAmount(token.amount, getDecimals(vm, token.mint))
    return { accountIndex, mint: token.mint, owner: token.owner, programId: account.owner, uiTokenAmount }
  })
}
