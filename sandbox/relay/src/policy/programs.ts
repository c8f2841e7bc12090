/**
 * Programs whose instructions can be counted: the cost of each to the wallet, its recipients, and whether a policy
 * must list it by name. Any other program may call further programs, so its effects cannot be known from outside.
 */
import { toHex } from './policy.js'
import { Refusal } from './refusal.js'
import { getReader } from './transaction.js'

export const SYSTEM = '11111111111111111111111111111111'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const MEMO_1 = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'
const NATIVE_MINTS: ReadonlySet<string> = new Set(
  ['So11111111111111111111111111111111111111112', '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9'].map(toHex),
)

/** @param mint hex */
export function isNative(mint: string): boolean {
  return NATIVE_MINTS.has(mint)
}

/** Transfer of a token that names its mint and decimals. Keys are hex. */
interface TokenTransfer {
  readonly mint: string
  readonly decimals: number
  /** In the token's smallest unit. */
  readonly amount: bigint
  /** Token account of the recipient. */
  readonly account: string
  /** True when the wallet alone signs for the tokens, and no further account lets a program of the mint run. */
  readonly isPlain: boolean
}
export interface Effect {
  /** Maximum lamports that leave the wallet. */
  readonly lamports: bigint
  /** Recipients, hex: a policy must allow at least one recipient of each list. */
  readonly pays: readonly (readonly string[])[]
  /** True when a policy must list the instruction by its first bytes. */
  readonly byName: boolean
  readonly token?: TokenTransfer
  /** Token account that the instruction creates, hex. */
  readonly opens?: { readonly account: string; readonly mint: string }
}
interface Context {
  readonly data: Uint8Array
  /** Number of accounts of the instruction. */
  readonly count: number
  /** Returns the account at this index of the instruction, hex; a missing account is refused. */
  account(index: number): string
  /** hex */
  readonly wallet: string
}
type Read = (context: Context) => Effect

const nothing: Effect = { lamports: 0n, pays: [], byName: false }
const byName: Effect = { ...nothing, byName: true }

function exact(data: Uint8Array, length: number): void {
  if (data.length !== length) throw new Refusal('malformed')
}
/** Counts the lamports if the wallet sends them. */
function given({ wallet }: Context, from: string, amount: bigint, to: string): Effect {
  return from === wallet ? { lamports: amount, pays: to === wallet ? [] : [[to]], byName: false } : nothing
}

const system: Read = context => {
  const { data, account, wallet } = context
  const input = getReader(data)
  switch (input.u32()) {
    case 0: // CreateAccount
      exact(data, 52)
      return given(context, account(0), input.u64(), account(1))
    case 2: // Transfer
      exact(data, 12)
      return given(context, account(0), input.u64(), account(1))
    case 3: {
      // CreateAccountWithSeed
      input.bytes(32)
      const seed = input.u64()
      if (seed > 32n) throw new Refusal('malformed')
      input.bytes(Number(seed))
      const amount = input.u64()
      input.bytes(40)
      if (input.left !== 0) throw new Refusal('malformed')
      return given(context, account(0), amount, account(1))
    }
    case 11: // TransferWithSeed: from an account that the wallet controls
      return account(1) === wallet ? { lamports: input.u64(), pays: [[account(2)]], byName: false } : nothing
    default:
      // Assign, Allocate, all nonce instructions, and unknown instructions.
      return byName
  }
}

/**
 * Lamports for an account's bytes, paid once. A Token-2022 mint decides the size; this is more than any account takes.
 */
const RENT = { [toHex(TOKEN)]: 2_039_280n, [toHex(TOKEN_2022)]: 10_000_000n } as const

const associatedToken: Read = ({ data, account, wallet }) => {
  if (data.length > 1 || (data[0] ?? 0) > 1) return byName
  const rent = RENT[account(5)]
  if (rent === undefined) throw new Refusal('malformed')
  const opens = { account: account(1), mint: account(3) }
  if (account(0) !== wallet) return { ...nothing, opens }
  return { lamports: rent, pays: account(2) === wallet ? [] : [[account(2), account(1)]], byName: false, opens }
}

const token: Read = ({ data, account, count, wallet }) => {
  const [instruction = 255] = data
  switch (instruction) {
    case 12: {
      // TransferChecked; a native token is lamports.
      exact(data, 10)
      const input = getReader(data.subarray(1))
      const amount = input.u64()
      const [mint, to] = [account(1), account(2)]
      const isPlain = count === 4 && account(3) === wallet
      const token = { mint, decimals: input.byte(), amount, account: to, isPlain }
      return { lamports: isNative(mint) ? amount : 0n, pays: [[to]], byName: false, token }
    }
    case 9: // CloseAccount
      return account(1) === wallet ? nothing : byName
    case 7: // MintTo
    case 14: // MintToChecked
      return { lamports: 0n, pays: [[account(1)]], byName: false }
    case 1: // InitializeAccount; 16 and 18 are its later forms
    case 5: // Revoke
    case 8: // Burn
    case 10: // FreezeAccount
    case 11: // ThawAccount
    case 15: // BurnChecked
    case 16:
    case 17: // SyncNative
    case 18:
    case 21: // GetAccountDataSize
    case 22: // InitializeImmutableOwner
      return nothing
    default:
      // Transfer, which does not name its mint; Approve, SetAuthority; extensions, batches, and unknown instructions.
      return byName
  }
}

const computeBudget: Read = ({ data }) => {
  const [instruction = 0] = data
  const length = { 1: 5, 2: 5, 3: 9, 4: 5 }[instruction]
  if (length === undefined) return byName
  exact(data, length)
  return nothing
}

const KNOWN: ReadonlyMap<string, Read> = new Map(
  [
    [SYSTEM, system] as const,
    [ASSOCIATED_TOKEN, associatedToken] as const,
    [TOKEN, token] as const,
    [TOKEN_2022, token] as const,
    [COMPUTE_BUDGET, computeBudget] as const,
    [MEMO, () => nothing] as const,
    [MEMO_1, () => nothing] as const,
  ].map(([address, read]) => [toHex(address), read]),
)

/** Returns undefined for a program that cannot be counted. @throws Refusal `malformed` */
export function getEffect(
  program: string,
  data: Uint8Array,
  accounts: readonly string[],
  wallet: string,
): Effect | undefined {
  return KNOWN.get(program)?.({
    data,
    wallet,
    count: accounts.length,
    account: index => {
      const account = accounts[index]
      if (account === undefined) throw new Refusal('malformed')
      return account
    },
  })
}
