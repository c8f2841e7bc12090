/** Decides on bytes to sign. Pure: the amount spent, the lookup tables and the time are inputs. */
import { isForOthers, isSignInElsewhere, type SignInHost } from '@keybay/waas/relay-client'
import bs58 from 'bs58'
import { countTokens } from './grant.js'
import { checkMessage } from './messages.js'
import { isOpen, type Policy, type ProgramRule, toBase58, toHex } from './policy.js'
import { COMPUTE_BUDGET, type Effect, getEffect } from './programs.js'
import { Refusal } from './refusal.js'
import { allKeys, getReader, type Tables, type TransactionMessage } from './transaction.js'

export type SignKind = 'transaction' | 'message' | 'rawMessage'

export interface Facts {
  /** Public key of the wallet. */
  readonly wallet: Uint8Array
  readonly policy: Policy | null
  /** Returns what the wallet spent in the last 24 hours, of SOL or of a mint (base58). */
  readonly getSpent: (asset: string) => bigint
  /** ms since epoch */
  readonly now: number
  /** Origins of the host's pages. */
  readonly origins: readonly string[]
  /** Origin of the page that asks; undefined for a delegate, which has none. */
  readonly origin: string | undefined
  /** True when the user saw the request and agreed, which no policy replaces for a sign-in at another site. */
  readonly consent: boolean
}
/** Asset → amount: of {@link SOL} in lamports, of a mint (base58) in its smallest unit. */
export type Amounts = ReadonlyMap<string, bigint>
export const SOL = 'SOL'
/** Amounts of a signature that counts against no limit. */
export const NO_AMOUNTS: Amounts = new Map()

/** Facts, with the policy of the user that decides. */
interface Ruled extends Facts {
  readonly policy: Policy
}
/** Bytes to sign; of a transaction also its content. */
export interface ToDecide {
  readonly message: Uint8Array
  readonly transaction: TransactionMessage | undefined
  readonly tables: Tables
}

/** Returns the lookup tables that a transaction names, hex. @throws Refusal `malformed`, `version` */
export function getTables(message: TransactionMessage): readonly string[] {
  return [...new Set(message.lookups.map(({ table }) => table))]
}

/** Decides where a policy of the user refuses everything else. Returns the maximum cost. @throws Refusal */
export function decideClosed({ message, transaction, tables }: ToDecide, facts: Ruled): Amounts {
  if (transaction) {
    const keys = readKeys(transaction, tables, facts)
    checkExpiry(facts)
    checkMemos(transaction, facts)
    return decideTransaction(transaction, keys, facts)
  }
  decideMessage(message, facts)
  return NO_AMOUNTS
}

/**
 * Decides where the user is asked about everything that no grant covers. Returns the amounts that count against the
 * grant: none for what the user agreed to.
 *
 * @throws Refusal `consent`, `sign-in`, `origin`, or as {@link decideClosed}
 */
export function decideOpen({ message, transaction, tables }: ToDecide, facts: Facts): Amounts {
  const { policy, consent, origin } = facts
  if (!transaction) {
    const readable = checkMessage(message, facts.wallet)
    if (!consent && isForOthers(readable, getHost(facts))) throw new Refusal('sign-in')
    if (!consent) throw new Refusal('consent')
    return NO_AMOUNTS
  }
  const keys = readKeys(transaction, tables, facts)
  checkMemos(transaction, facts)
  if (consent) return NO_AMOUNTS
  // The frame can't read lookup tables, so no grant covers them.
  if (!policy || transaction.lookups.length > 0) throw new Refusal('consent')
  if (policy.origin !== undefined && policy.origin !== origin) throw new Refusal('origin')
  const ruled = { ...facts, policy }
  checkExpiry(ruled)
  return decideTransaction(transaction, keys, ruled)
}

/** Keys of a transaction, hex. */
interface Keys {
  readonly wallet: string
  /** In the order of the instructions' indices. */
  readonly all: readonly string[]
}

/** @throws Refusal `signer`, `lookup-table` */
function readKeys(message: TransactionMessage, tables: Tables, { wallet }: Facts): Keys {
  return { wallet: checkTransaction(message, wallet), all: allKeys(message, tables) }
}

/** Applies the rules of a policy to a transaction and returns its maximum cost to the wallet. @throws Refusal */
function decideTransaction(message: TransactionMessage, { wallet, all }: Keys, facts: Ruled): Amounts {
  const { policy } = facts
  const rules = new Map(policy.programs.map(rule => [toHex(rule.programId), rule]))
  const destinations = policy.destinations && new Set(policy.destinations.map(toHex))
  const effects: Effect[] = []
  for (const { program, accounts, data } of message.instructions) {
    const rule = rules.get(program)
    if (!rule) throw new Refusal('program', { program: toBase58(program) })
    const used = accounts.map(index => all[index] ?? '')
    const effect = getEffect(program, data, used, wallet)
    if (!effect && !rule.uncapped) throw new Refusal('program', { program: toBase58(program) })
    checkInstruction(rule, program, data, effect?.byName ?? false)
    if (effect) effects.push(effect)
    const foreign = destinations && effect?.pays.find(choices => !choices.some(choice => destinations.has(choice)))
    if (foreign) throw new Refusal('destination', { program: toBase58(program), address: toBase58(foreign[0] ?? '') })
  }
  const fee = message.keys[0] === wallet ? getFee(message) : 0n
  const lamports = effects.reduce((sum, effect) => sum + effect.lamports, fee)
  const tokens = isOpen(policy) ? countTokens(policy, effects) : NO_AMOUNTS
  checkLimits(lamports, facts)
  checkTokens(tokens, facts)
  return new Map([[SOL, lamports], ...tokens])
}

/** Services accept a sign-in in a memo too. @throws Refusal `sign-in` */
function checkMemos({ instructions }: TransactionMessage, facts: Facts): void {
  const host = getHost(facts)
  const isSignIn = ({ data }: (typeof instructions)[number]): boolean => isSignInElsewhere(utf8.decode(data), host)
  if (!facts.consent && instructions.some(isSignIn)) throw new Refusal('sign-in')
}

/** Checks the rules of every policy. Returns the wallet's key as hex. @throws Refusal `signer` */
function checkTransaction({ keys, signers }: TransactionMessage, publicKey: Uint8Array): string {
  const wallet = Buffer.from(publicKey).toString('hex')
  if (!keys.slice(0, signers).includes(wallet)) throw new Refusal('signer')
  return wallet
}

function checkExpiry({ policy: { expiresAt }, now }: Ruled): void {
  if (expiresAt !== undefined && expiresAt <= now) throw new Refusal('expired')
}

function checkInstruction(rule: ProgramRule, program: string, data: Uint8Array, byName: boolean): void {
  const start = Buffer.from(data.buffer, data.byteOffset, data.length).toString('hex', 0, 32)
  const isListed = rule.instructions?.some(prefix => start.startsWith(prefix)) ?? !byName
  if (!isListed) throw new Refusal('instruction', { program: toBase58(program), instruction: start.slice(0, 16) })
}

/** @throws Refusal `token-limit` */
function checkTokens(tokens: Amounts, { policy, getSpent }: Ruled): void {
  for (const { mint, decimals, dailyLimit } of policy.tokens ?? []) {
    const wanted = getSpent(mint) + (tokens.get(mint) ?? 0n)
    if (tokens.has(mint) && wanted > BigInt(dailyLimit))
      throw new Refusal('token-limit', { address: mint, decimals, limit: dailyLimit, wanted: wanted.toString() })
  }
}

function checkLimits(lamports: bigint, { policy, getSpent }: Ruled): void {
  const check = (rule: 'transaction-limit' | 'daily-limit', limit: string | undefined, amount: bigint): void => {
    if (limit !== undefined && amount > BigInt(limit)) throw new Refusal(rule, { limit, wanted: amount.toString() })
  }
  check('transaction-limit', policy.transactionLimit, lamports)
  check('daily-limit', policy.dailyLimit, getSpent(SOL) + lamports)
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

function getHost({ origins, wallet }: Facts): SignInHost {
  return {
    origins,
    // Only a sign-in needs the address.
    get address() {
      return bs58.encode(wallet)
    },
  }
}

/** @throws Refusal `message`, `expired`, `sign-in` */
function decideMessage(bytes: Uint8Array, facts: Ruled): void {
  const message = checkMessage(bytes, facts.wallet)
  checkExpiry(facts)
  if (!facts.policy.messages) throw new Refusal('message')
  if (!facts.consent && isForOthers(message, getHost(facts))) throw new Refusal('sign-in')
}

const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_PER_INSTRUCTION = 200_000
const MAX_UNITS = 1_400_000
const MICRO = 1_000_000n
const computeBudget = toHex(COMPUTE_BUDGET)
/** Programs whose instructions contain signatures, each with its own price. */
const PRECOMPILES: ReadonlySet<string> = new Set(
  [
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
  ].map(toHex),
)

/** Returns the fee in lamports. @throws Refusal `malformed` */
function getFee({ signers, instructions }: TransactionMessage): bigint {
  let units: number | undefined
  let price = 0n
  let signatures = signers
  for (const { program, data } of instructions) {
    if (PRECOMPILES.has(program)) signatures += data[0] ?? 0
    if (program !== computeBudget) continue
    if (data[0] === 2) units = getReader(data.subarray(1)).u32()
    if (data[0] === 3) price = getReader(data.subarray(1)).u64()
  }
  const paid = Math.min(units ?? UNITS_PER_INSTRUCTION * instructions.length, MAX_UNITS)
  const priority = (price * BigInt(paid) + MICRO - 1n) / MICRO
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + priority
}
