/** What mints and token accounts hold, of SPL Token and of Token-2022 with the extensions that a transfer meets. */
import bs58 from 'bs58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js'
import { reader } from './bytes.js'

/** An account as a node shows it. */
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
/** Where Token-2022 writes what the account is: 1 a mint, 2 a token account. Extensions follow as type, length, value. */
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

/** type → value */
function extensionsOf({ data }: ChainAccount): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>()
  const read = reader(data)
  for (let at = KIND_AT + 1; ; ) {
    const [type, length] = [read.u16(at), read.u16(at + 2)]
    const value = length === undefined ? undefined : read.slice(at + 4, length)
    if (!type || length === undefined || !value) return found
    found.set(type, value)
    at += 4 + length
  }
}

interface TransferFee {
  readonly epoch: bigint
  /** Smallest units, at most. */
  readonly most: bigint
  /** Hundredths of a per cent. */
  readonly basisPoints: bigint
}
export interface Mint {
  readonly program: string
  readonly decimals: number
  readonly nonTransferable: boolean
  /** A program that every transfer calls, with accounts of its own. */
  readonly hook: string | undefined
  readonly paused: boolean
  /** A new account can neither receive nor send until the mint's authority has thawed it. */
  readonly startsFrozen: boolean
  /** What the token keeps of a transfer; undefined where it has no such rule. */
  readonly withheld: (amount: bigint, epoch: bigint) => bigint | undefined
}

function readFee(bytes: Uint8Array, at: number): TransferFee {
  const read = reader(bytes)
  return { epoch: read.u64(at) ?? 0n, most: read.u64(at + 8) ?? 0n, basisPoints: BigInt(read.u16(at + 16) ?? 0) }
}
/** Rounded up, as the program does. */
function feeOf(bytes: Uint8Array, amount: bigint, epoch: bigint): bigint {
  const [older, newer] = [readFee(bytes, 72), readFee(bytes, 90)]
  const { most, basisPoints } = epoch >= newer.epoch ? newer : older
  const fee = (amount * basisPoints + 9_999n) / 10_000n
  return fee < most ? fee : most
}

/** Undefined: no mint. */
export function readMint(account: ChainAccount): Mint | undefined {
  if (!isKind(account, MINT_SIZE, KIND_MINT) || account.data[45] !== 1) return undefined
  const extensions = extensionsOf(account)
  const fee = extensions.get(TRANSFER_FEE_CONFIG)
  const hook = extensions.get(TRANSFER_HOOK)?.subarray(32, 64)
  return {
    program: account.owner,
    decimals: account.data[44] ?? 0,
    nonTransferable: extensions.has(NON_TRANSFERABLE),
    hook: hook?.some(byte => byte !== 0) ? bs58.encode(hook) : undefined,
    paused: extensions.get(PAUSABLE)?.[32] === 1,
    startsFrozen: extensions.get(DEFAULT_ACCOUNT_STATE)?.[0] === FROZEN,
    withheld: (amount, epoch) => fee && feeOf(fee, amount, epoch),
  }
}

export interface HeldToken {
  readonly mint: string
  readonly owner: string
  /** Smallest units. */
  readonly amount: bigint
  readonly frozen: boolean
  /** It takes nothing without a note before it. */
  readonly memoRequired: boolean
}
/** Undefined: no token account. */
export function readTokenAccount(account: ChainAccount): HeldToken | undefined {
  const { data } = account
  if (!isKind(account, ACCOUNT_SIZE, KIND_ACCOUNT) || !data[108]) return undefined
  return {
    mint: bs58.encode(data.subarray(0, 32)),
    owner: bs58.encode(data.subarray(32, 64)),
    amount: reader(data).u64(64) ?? 0n,
    frozen: data[108] === FROZEN,
    memoRequired: extensionsOf(account).get(MEMO_TRANSFER)?.[0] === 1,
  }
}
