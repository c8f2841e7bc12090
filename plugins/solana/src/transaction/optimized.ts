/**
 * Whether what the product API made of a transaction may be signed in its place: it may add what the sender has not chosen
 * of the compute budget and take over the fee, and nothing else (S7.1). The API is trusted with no more than that, whoever
 * may have got hold of it.
 */
import { toBase64 } from '@keybay/kernel/spec'
import { VersionedTransaction } from '@solana/web3.js'
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../programs/addresses.js'
import { reader } from '../programs/bytes.js'

/** lamports that the answer may put on top; 0.001 SOL */
const MOST_PRIORITY = 1_000_000n
const UNITS_PER_INSTRUCTION = 200_000n
const MOST_UNITS = 1_400_000n
/** ComputeBudget: heap frame, unit limit, unit price, loaded data limit. */
const [FIRST_BUDGET, UNIT_LIMIT, UNIT_PRICE, LAST_BUDGET] = [1, 2, 3, 4]

interface Resolved {
  readonly program: string
  /** Each account with what it may do; those of a lookup table by table and place. */
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}
interface Read {
  readonly payer: string
  readonly blockhash: string
  readonly instructions: readonly Resolved[]
  readonly signed: readonly string[]
}
/** @throws what the library throws of bytes that are no transaction */
function read(bytes: Uint8Array): Read {
  const { message, signatures } = VersionedTransaction.deserialize(bytes)
  const statics = message.staticAccountKeys.map(key => key.toBase58())
  const { addressTableLookups } = message
  const looked = [
    ...addressTableLookups.flatMap(one => one.writableIndexes.map(index => `${one.accountKey}/${index} writable`)),
    ...addressTableLookups.flatMap(one => one.readonlyIndexes.map(index => `${one.accountKey}/${index}`)),
  ]
  const nameOf = (index: number): string => {
    const name = statics[index]
    if (name === undefined) return looked[index - statics.length] ?? '?'
    return `${name}${message.isAccountSigner(index) ? ' signs' : ''}${message.isAccountWritable(index) ? ' writable' : ''}`
  }
  return {
    payer: statics[0] ?? '',
    blockhash: message.recentBlockhash,
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: statics[programIdIndex] ?? '?',
      accounts: accountKeyIndexes.map(nameOf),
      data,
    })),
    signed: statics.filter((_, index) => signatures[index]?.some(byte => byte !== 0)),
  }
}

function textOf({ program, accounts, data }: Resolved): string {
  return `${program}(${accounts.join()})${toBase64(data)}`
}

function isBudget({ program }: Resolved) {
  return program === COMPUTE_BUDGET_PROGRAM
}
/** System 4 */
function isAdvance(one: Resolved | undefined) {
  return one?.program === SYSTEM_PROGRAM && one.data.length === 4 && one.data[0] === 4
}

interface Priority {
  /** lamports, at most */
  readonly most: bigint
  /** It is this and no less: a limit was set, or no price. */
  readonly exact: boolean
  /** Somebody set a price, be it nothing. */
  readonly priced: boolean
}
/** What the compute budget costs on top; undefined: not what the program knows, or twice. */
function priorityOf(instructions: readonly Resolved[]): Priority | undefined {
  const budgets = instructions.filter(isBudget)
  const kinds = budgets.map(({ data }) => data[0] ?? 0)
  const known = kinds.every(kind => kind >= FIRST_BUDGET && kind <= LAST_BUDGET)
  if (!known || new Set(kinds).size < kinds.length || budgets.some(({ accounts }) => accounts.length)) return undefined
  const of = (kind: number) => budgets.find(({ data }) => data[0] === kind)?.data
  const [limit, price] = [of(UNIT_LIMIT), of(UNIT_PRICE)]
  const units = limit && reader(limit).u32(1)
  const asked = units === undefined ? BigInt(instructions.length) * UNITS_PER_INSTRUCTION : BigInt(units)
  const most = asked < MOST_UNITS ? asked : MOST_UNITS
  const micro = ((price && reader(price).u64(1)) ?? 0n) * most
  return { most: (micro + 999_999n) / 1_000_000n, exact: units !== undefined || !micro, priced: price !== undefined }
}

/**
 * lamports that the answer may come to: what the sender's own price does. Without a limit of theirs only the chain knows
 * that, and one that is added must not make much of it.
 */
function mostOf({ most, exact, priced }: Priority): bigint {
  return priced && (exact || most < MOST_PRIORITY) ? most : MOST_PRIORITY
}

/** Why it may not be signed; undefined: it may. */
export function objectionTo(original: Uint8Array, answer: Uint8Array): string | undefined {
  let before: Read
  let after: Read
  try {
    before = read(original)
    after = read(answer)
  } catch {
    return 'no transaction'
  }
  if (after.blockhash !== before.blockhash) return 'another blockhash'
  const [own, theirs] = [before, after].map(({ instructions }) =>
    instructions.filter(one => !isBudget(one)).map(textOf),
  )
  if (own?.join('\n') !== theirs?.join('\n')) return 'other instructions'
  if (isAdvance(before.instructions[0]) && !isAdvance(after.instructions[0])) return 'the nonce is not advanced first'
  const budgets = after.instructions.filter(isBudget).map(textOf)
  if (!before.instructions.filter(isBudget).every(one => budgets.includes(textOf(one))))
    return 'another compute budget than the sender has chosen'
  const [chosen, priority] = [before, after].map(({ instructions }) => priorityOf(instructions))
  if (!chosen || !priority) return 'a compute budget that makes no sense'
  if (priority.most > mostOf(chosen)) return `a priority fee of ${priority.most} lamports`
  // Whoever else pays has signed; nobody else has.
  const signers = after.payer === before.payer ? [] : [after.payer]
  return after.signed.join() === signers.join() ? undefined : 'signatures that do not fit'
}

/** Who pays. */
export function payerOf(transaction: Uint8Array): string {
  return read(transaction).payer
}

/** What its compute budget costs, lamports; undefined: only the chain knows its own limit. */
export function exactPriority(transaction: Uint8Array): bigint | undefined {
  const priority = priorityOf(read(transaction).instructions)
  return priority?.exact ? priority.most : undefined
}
