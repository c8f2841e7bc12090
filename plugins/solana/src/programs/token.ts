/** Reads mints, token accounts (of Token-2022 with the extensions that affect a transfer) and nonce accounts. */
import bs58 from 'bs58'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js'
import { reader } from './bytes.js'

export interface ChainAccount {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}

export function isTokenProgram(program: string): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM
}

const MINT_SIZE = 82
const ACCOUNT_SIZE = 165
/**
 * Offset at which Token-2022 stores the account type: 1 is a mint, 2 a token account. Extensions follow as type, length, value.
 */
const KIND_AT = 165
const [KIND_MINT, KIND_ACCOUNT] = [1, 2]
const FROZEN = 2

/** Extension numbers of Token-2022 (spl-token-2022-interface, ExtensionType). */
const TRANSFER_FEE_CONFIG = 1
const DEFAULT_ACCOUNT_STATE = 6
const MEMO_TRANSFER = 8
const NON_TRANSFERABLE = 9
const TRANSFER_HOOK = 14
const PAUSABLE = 26

function isKind({ owner, data }: ChainAccount, size: number, kind: number): boolean {
  return isTokenProgram(owner) && (data.length === size || (owner === TOKEN_2022_PROGRAM && data[KIND_AT] === kind))
}

function getExtensions({ data }: ChainAccount): ReadonlyMap<number, Uint8Array> {
  const extensions = new Map<number, Uint8Array>()
  const read = reader(data)
  for (let at = KIND_AT + 1; ; ) {
    const [type, length] = [read.u16(at), read.u16(at + 2)]
    const value = length === undefined ? undefined : read.slice(at + 4, length)
    if (!type || length === undefined || !value) return extensions
    extensions.set(type, value)
    at += 4 + length
  }
}

interface TransferFee {
  readonly epoch: bigint
  /** Maximum fee, in smallest units. */
  readonly most: bigint
  /** Hundredths of a percent. */
  readonly basisPoints: bigint
}
export interface Mint {
  readonly program: string
  readonly decimals: number
  readonly nonTransferable: boolean
  /** Program that every transfer calls, with its own accounts. */
  readonly hook: string | undefined
  readonly paused: boolean
  /** True if a new account can neither receive nor send until the mint's authority thaws it. */
  readonly startsFrozen: boolean
  /** Returns the fee that the token withholds from a transfer; undefined if the token has no transfer fee. */
  readonly withheld: (amount: bigint, epoch: bigint) => bigint | undefined
}

function readFee(bytes: Uint8Array, at: number): TransferFee {
  const read = reader(bytes)
  return { epoch: read.u64(at) ?? 0n, most: read.u64(at + 8) ?? 0n, basisPoints: BigInt(read.u16(at + 16) ?? 0) }
}
/** Rounds up, as the program does. */
function getFee(bytes: Uint8Array, amount: bigint, epoch: bigint): bigint {
  const [older, newer] = [readFee(bytes, 72), readFee(bytes, 90)]
  const { most, basisPoints } = epoch >= newer.epoch ? newer : older
  const fee = (amount * basisPoints + 9_999n) / 10_000n
  return fee < most ? fee : most
}
/** Undefined if it is not a mint. */
export function readMint(account: ChainAccount): Mint | undefined {
  if (!isKind(account, MINT_SIZE, KIND_MINT) || account.data[45] !== 1) return undefined
  const extensions = getExtensions(account)
  const fee = extensions.get(TRANSFER_FEE_CONFIG)
  const hook = extensions.get(TRANSFER_HOOK)?.subarray(32, 64)
  return {
    program: account.owner,
    decimals: account.data[44] ?? 0,
    nonTransferable: extensions.has(NON_TRANSFERABLE),
    hook: hook?.some(byte => byte !== 0) ? bs58.encode(hook) : undefined,
    paused: extensions.get(PAUSABLE)?.[32] === 1,
    startsFrozen: extensions.get(DEFAULT_ACCOUNT_STATE)?.[0] === FROZEN,
    withheld: (amount, epoch) => fee && getFee(fee, amount, epoch),
  }
}

export interface HeldToken {
  readonly mint: string
  readonly owner: string
  /** In smallest units. */
  readonly amount: bigint
  readonly frozen: boolean
  /** True if the account accepts tokens only after a memo. */
  readonly memoRequired: boolean
}
/** Undefined if it is not a token account. */
export function readTokenAccount(account: ChainAccount): HeldToken | undefined {
  const { data } = account
  if (!isKind(account, ACCOUNT_SIZE, KIND_ACCOUNT) || !data[108]) return undefined
  return {
    mint: bs58.encode(data.subarray(0, 32)),
    owner: bs58.encode(data.subarray(32, 64)),
    amount: reader(data).u64(64) ?? 0n,
    frozen: data[108] === FROZEN,
    memoRequired: getExtensions(account).get(MEMO_TRANSFER)?.[0] === 1,
  }
}

export interface Nonce {
  readonly authority: string
  /** Replaces the blockhash. */
  readonly value: string
}
/** Undefined if it is not a nonce account, or not in use (solana-nonce, versions.rs: version, state, authority, value). */
export function readNonce(account: ChainAccount | undefined): Nonce | undefined {
  if (account?.owner !== SYSTEM_PROGRAM) return undefined
  const read = reader(account.data)
  const [authority, value] = [read.slice(8, 32), read.slice(40, 32)]
  if (read.u32(4) !== 1 || !authority || !value) return undefined
  return { authority: bs58.encode(authority), value: bs58.encode(value) }
}
