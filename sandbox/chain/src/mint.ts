import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { errorText } from './errors.js'
import { FAUCET_ADDRESS, type FaucetInstruction, signByFaucet } from './faucet.js'
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from './programs.js'
import { internalError } from './rpc-error.js'
import type { ChainState } from './state.js'
import { getDecimals } from './tokens.js'
import { execute } from './transactions.js'
import { readTransaction } from './wire.js'

/** Token-2022 features that a demo mint can have, one at a time. */
export const TOKEN_FEATURES = ['transfer-fee', 'non-transferable', 'memo-required'] as const
export type TokenFeature = (typeof TOKEN_FEATURES)[number]

/** Transfer fee of a demo mint: one percent, at most 5 of a token with 6 decimals. */
const [FEE_BASIS_POINTS, MAX_FEE] = [100, 5_000_000n] as const

/** Base account, kind, and an entry: type and length, two bytes each. */
const MINT_SIZE = 82n

function sizeWith(entry: bigint): bigint {
  return 165n + 1n + 4n + entry
}
const SIZES: Readonly<Record<TokenFeature, bigint>> = {
  'transfer-fee': sizeWith(108n),
  'non-transferable': sizeWith(0n),
  // The account requires the memo, not the mint.
  'memo-required': MINT_SIZE,
}

export interface MintOrder {
  /** Identifies the demo mint: the same symbol is the same mint, also on a fresh chain. At most 32 bytes. */
  readonly symbol: string
  readonly decimals: number
  readonly tokenProgram: string
  readonly owner: string
  /** In smallest units. */
  readonly amount: bigint
  /** Token-2022 only. `memo-required`: the faucet's own token account accepts no transfer without a memo. */
  readonly feature?: TokenFeature | undefined
}

export interface Minted {
  readonly mint: string
  readonly account: string
  readonly decimals: number
  readonly signature: string
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** Positions of the transaction's keys. */
const [FAUCET, MINT, ACCOUNT, OWNER, SYSTEM, TOKEN, ASSOCIATED] = [0, 1, 2, 3, 4, 5, 6] as const

function getSeed({ symbol, feature }: MintOrder): string {
  return feature ? `${symbol}:${feature}` : symbol
}

/** Mints demo tokens to an owner's associated account, and creates the mint and the account when missing. */
export function mintTo(state: ChainState, order: MintOrder): Minted {
  const { tokenProgram, owner, amount } = order
  const mint = seededAddress(FAUCET_ADDRESS, getSeed(order), tokenProgram)
  const account = associatedTokenAddress(owner, mint, tokenProgram)
  const exists = state.vm.account(mint) !== null
  const instructions: FaucetInstruction[] = [
    ...(exists ? [] : createMint(state, order)),
    { program: ASSOCIATED, accounts: [FAUCET, ACCOUNT, OWNER, MINT, SYSTEM, TOKEN], data: Buffer.from([1]) },
    { program: TOKEN, accounts: [MINT, ACCOUNT, FAUCET], data: Buffer.concat([Buffer.from([7]), u64(amount)]) },
  ]
  const keys = [mint, account, owner, SYSTEM_PROGRAM, tokenProgram, ASSOCIATED_TOKEN_PROGRAM]
  const signature = runMint(state, keys, instructions)
  if (order.feature === 'memo-required' && !exists) askForNotes(state, mint, tokenProgram)
  return { mint, account, decimals: getDecimals(state.vm, mint), signature }
}

/** Runs a transaction that the faucet signs. An equal one in one slot gets an older blockhash, to be another. */
export function runAsFaucet(state: ChainState, name: string, signWith: (blockhash: string) => Buffer): string {
  for (const blockhash of state.blockhashes.newestFirst()) {
    const transaction = readTransaction(signWith(blockhash))
    const signature = transaction.signatures[0] ?? ''
    if (state.ledger.get(signature)) continue
    const record = execute(state, transaction, true)
    const error = 'refused' in record ? record.refused : record.error
    if (error) throw internalError(`${name} refused: ${errorText(error)}`)
    return signature
  }
  throw internalError(`${name} refused: too many equal requests, try again in a moment`)
}

function runMint(state: ChainState, keys: readonly string[], instructions: readonly FaucetInstruction[]): string {
  return runAsFaucet(state, 'Mint', blockhash => signByFaucet([1, 0, 4], keys, blockhash, instructions))
}

function createMint(state: ChainState, order: MintOrder): FaucetInstruction[] {
  const { decimals, tokenProgram, feature } = order
  const [seed, size] = [getSeed(order), feature ? SIZES[feature] : MINT_SIZE]
  const create = Buffer.concat([
    u32(3),
    bs58.decode(FAUCET_ADDRESS),
    u64(BigInt(Buffer.byteLength(seed))),
    Buffer.from(seed),
    u64(state.vm.rentExemption(size)),
    u64(size),
    bs58.decode(tokenProgram),
  ])
  const initialize = Buffer.concat([Buffer.from([20, decimals]), bs58.decode(FAUCET_ADDRESS), Buffer.from([0])])
  return [
    { program: SYSTEM, accounts: [FAUCET, MINT], data: create },
    // Extensions are initialized before the mint itself.
    ...getExtension(feature).map(data => ({ program: TOKEN, accounts: [MINT], data })),
    { program: TOKEN, accounts: [MINT], data: initialize },
  ]
}

function getExtension(feature: TokenFeature | undefined): Buffer[] {
  if (feature === 'non-transferable') return [Buffer.from([32])]
  if (feature !== 'transfer-fee') return []
  const [noAuthority, basisPoints] = [Buffer.from([0]), Buffer.alloc(2)]
  basisPoints.writeUInt16LE(FEE_BASIS_POINTS)
  return [Buffer.concat([Buffer.from([26, 0]), noAuthority, noAuthority, basisPoints, u64(MAX_FEE)])]
}

/** Creates a faucet account that accepts no token without a memo. */
function askForNotes(state: ChainState, mint: string, tokenProgram: string): void {
  const tokenAccount = associatedTokenAddress(FAUCET_ADDRESS, mint, tokenProgram)
  const keys = [tokenAccount, mint, SYSTEM_PROGRAM, tokenProgram, ASSOCIATED_TOKEN_PROGRAM]
  const [payer, account, minted, system, token, associated] = [0, 1, 2, 3, 4, 5] as const
  const memoTransfer = 8
  runMint(state, keys, [
    { program: associated, accounts: [payer, account, payer, minted, system, token], data: Buffer.from([1]) },
    { program: token, accounts: [account, payer, system, payer], data: Buffer.from([29, memoTransfer, 0]) },
    { program: token, accounts: [account, payer], data: Buffer.from([30, 0]) },
  ])
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    // Decodes like a validator: ZIP 215, in which several encodings may represent the same point.
    ed25519.Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

/** Returns the address that a program signs for with these seeds: the first off the curve from bump 255 down. */
function programAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
    for (const seed of seeds) hash.update(seed)
    hash
      .update(Buffer.from([bump]))
      .update(bs58.decode(program))
      .update('ProgramDerivedAddress')
    const address = hash.digest()
    if (!isOnCurve(address)) return bs58.encode(address)
  }
  throw new Error('There is no program address for these seeds.')
}

function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string {
  return programAddress([bs58.decode(owner), bs58.decode(tokenProgram), bs58.decode(mint)], ASSOCIATED_TOKEN_PROGRAM)
}

function seededAddress(base: string, seed: string, owner: string): string {
  return bs58.encode(createHash('sha256').update(bs58.decode(base)).update(seed).update(bs58.decode(owner)).digest())
}
