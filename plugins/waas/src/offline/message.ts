/** Builds the messages of a sweep: legacy Solana messages with one signer, and token accounts' addresses. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import bs58 from 'bs58'

const SYSTEM = '11111111111111111111111111111111'
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

export interface Step {
  readonly program: string
  /** Addresses in the instruction's order; the signer pays. */
  readonly accounts: readonly { readonly address: string; readonly writable: boolean }[]
  readonly data: Uint8Array
}

function compact(value: number): Uint8Array {
  return value < 0x80 ? Uint8Array.of(value) : Uint8Array.of((value & 0x7f) | 0x80, value >> 7)
}

/** Returns the message's bytes, which are signed. @param blockhash base58 */
export function getMessage(payer: string, steps: readonly Step[], blockhash: string): Uint8Array {
  const named = steps.flatMap(({ accounts }) => accounts)
  const isWritable = (address: string) => named.some(account => account.address === address && account.writable)
  const others = [...new Set([...named.map(({ address }) => address), ...steps.map(({ program }) => program)])].filter(
    address => address !== payer,
  )
  const readOnly = others.filter(address => !isWritable(address))
  const keys = [payer, ...others.filter(isWritable), ...readOnly]
  const indexOf = (address: string) => keys.indexOf(address)
  return concatBytes(
    Uint8Array.of(1, 0, readOnly.length),
    compact(keys.length),
    ...keys.map(key => bs58.decode(key)),
    bs58.decode(blockhash),
    compact(steps.length),
    ...steps.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(indexOf(program)),
      compact(accounts.length),
      Uint8Array.from(accounts, ({ address }) => indexOf(address)),
      compact(data.length),
      data,
    ]),
  )
}

function isPoint(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes)
    return true
  } catch {
    return false
  }
}
/** Returns the owner's token account of a mint: the first derived address that is not on the curve. */
function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string {
  const seeds = [owner, tokenProgram, mint].map(address => bs58.decode(address))
  for (let bump = 255; bump >= 0; bump--) {
    const end = [Uint8Array.of(bump), bs58.decode(ASSOCIATED_TOKEN), utf8ToBytes('ProgramDerivedAddress')]
    const derived = sha256(concatBytes(...seeds, ...end))
    if (!isPoint(derived)) return bs58.encode(derived)
  }
  throw new RangeError('no address')
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

function writable(address: string) {
  return { address, writable: true }
}

function readOnly(address: string) {
  return { address, writable: false }
}

/** Transfer of the system program. */
export function transfer(from: string, to: string, lamports: bigint): Step {
  return {
    program: SYSTEM,
    accounts: [writable(from), writable(to)],
    data: concatBytes(Uint8Array.of(2, 0, 0, 0), u64(lamports)),
  }
}

export interface TokenAccount {
  readonly address: string
  readonly mint: string
  readonly program: string
  readonly amount: bigint
  readonly decimals: number
}
/** Moves a token account's amount to the account of that mint at `to`, which it creates if missing. */
export function moveTokens(
  owner: string,
  to: string,
  { address, mint, program, amount, decimals }: TokenAccount,
): readonly Step[] {
  const target = associatedTokenAddress(to, mint, program)
  return [
    {
      program: ASSOCIATED_TOKEN,
      accounts: [writable(owner), writable(target), readOnly(to), readOnly(mint), readOnly(SYSTEM), readOnly(program)],
      // CreateIdempotent
      data: Uint8Array.of(1),
    },
    {
      program,
      accounts: [writable(address), readOnly(mint), writable(target), readOnly(owner)],
      // TransferChecked
      data: concatBytes(Uint8Array.of(12), u64(amount), Uint8Array.of(decimals)),
    },
  ]
}
/** CloseAccount, which also moves the account's rent. */
export function closeTokens(owner: string, to: string, { address, program }: TokenAccount): Step {
  return { program, accounts: [writable(address), writable(to), readOnly(owner)], data: Uint8Array.of(9) }
}
