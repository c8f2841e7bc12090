/**
 * Checks that a transaction changed by the product API may be signed: the API may add compute budget settings that the sender has
 * not chosen and take over the fee, and nothing else (S7.1). The API is trusted no further, because it may be compromised.
 */
import { toBase64 } from '@keybay/kernel/spec'
import { VersionedTransaction } from '@solana/web3.js'
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../programs/addresses.js'
import { reader } from '../programs/bytes.js'

/** Maximum priority fee that the API may add, in lamports; 0.001 SOL. */
const MAX_PRIORITY = 1_000_000n
const UNITS_PER_INSTRUCTION = 200_000n
const MAX_UNITS = 1_400_000n
/** ComputeBudget: heap frame, unit limit, unit price, loaded data limit. */
const [FIRST_BUDGET, UNIT_LIMIT, UNIT_PRICE, LAST_BUDGET] = [1, 2, 3, 4]

interface Resolved {
  readonly program: string
  /** Each account with its permissions; accounts of a lookup table by table and position. */
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}
interface Read {
  readonly payer: string
  readonly blockhash: string
  readonly instructions: readonly Resolved[]
  readonly signed: readonly string[]
}
/** @throws the library's error for bytes that are not a transaction */
function read(bytes: Uint8Array): Read {
  const { message, signatures } = VersionedTransaction.deserialize(bytes)
  const statics = message.staticAccountKeys.map(key => key.toBase58())
  const { addressTableLookups } = message
  const looked = [
    ...addressTableLookups.flatMap(addressTableLookup =>
      addressTableLookup.writableIndexes.map(index => `${addressTableLookup.accountKey}/${index} writable`),
    ),
    ...addressTableLookups.flatMap(addressTableLookup =>
      addressTableLookup.readonlyIndexes.map(index => `${addressTableLookup.accountKey}/${index}`),
    ),
  ]
  const getName = (index: number): string => {
    const name = statics[index]
    if (name === undefined) return looked[index - statics.length] ?? '?'
    return `${name}${message.isAccountSigner(index) ? ' signs' : ''}${message.isAccountWritable(index) ? ' writable' : ''}`
  }
  return {
    payer: statics[0] ?? '',
    blockhash: message.recentBlockhash,
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: statics[programIdIndex] ?? '?',
      accounts: accountKeyIndexes.map(getName),
      data,
    })),
    signed: statics.filter((_, index) => signatures[index]?.some(byte => byte !== 0)),
  }
}

function toComparable({ program, accounts, data }: Resolved): string {
  return `${program}(${accounts.join()})${toBase64(data)}`
}

function isBudget({ program }: Resolved) {
  return program === COMPUTE_BUDGET_PROGRAM
}
/** System 4 */
function isAdvance(instruction: Resolved | undefined) {
  return instruction?.program === SYSTEM_PROGRAM && instruction.data.length === 4 && instruction.data[0] === 4
}

interface Priority {
  /** Maximum, in lamports. */
  readonly most: bigint
  /** True if `most` is the exact cost: a limit was set, or no price. */
  readonly exact: boolean
  /** True if a price was set, even zero. */
  readonly priced: boolean
}
/** Returns the cost of the compute budget; undefined if its instructions are unknown or duplicated. */
function getPriority(instructions: readonly Resolved[]): Priority | undefined {
  const budgets = instructions.filter(isBudget)
  const kinds = budgets.map(({ data }) => data[0] ?? 0)
  const known = kinds.every(kind => kind >= FIRST_BUDGET && kind <= LAST_BUDGET)
  if (!known || new Set(kinds).size < kinds.length || budgets.some(({ accounts }) => accounts.length)) return undefined
  const of = (kind: number) => budgets.find(({ data }) => data[0] === kind)?.data
  const [limit, price] = [of(UNIT_LIMIT), of(UNIT_PRICE)]
  const units = limit && reader(limit).u32(1)
  const requested = units === undefined ? BigInt(instructions.length) * UNITS_PER_INSTRUCTION : BigInt(units)
  const most = requested < MAX_UNITS ? requested : MAX_UNITS
  const micro = ((price && reader(price).u64(1)) ?? 0n) * most
  return { most: (micro + 999_999n) / 1_000_000n, exact: units !== undefined || !micro, priced: price !== undefined }
}
/**
 * Returns the maximum priority fee of the API's transaction, in lamports: the cost of the sender's own price. Without a limit
 * from the sender only the chain knows that cost, and an added limit must not increase it much.
 */
function getMost({ most, exact, priced }: Priority): bigint {
  return priced && (exact || most < MAX_PRIORITY) ? most : MAX_PRIORITY
}
/** Returns the reason why the response must not be signed; undefined if it may. */
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
  const [originalTexts, answerTexts] = [before, after].map(({ instructions }) =>
    instructions.filter(instruction => !isBudget(instruction)).map(toComparable),
  )
  if (originalTexts?.join('\n') !== answerTexts?.join('\n')) return 'other instructions'
  if (isAdvance(before.instructions[0]) && !isAdvance(after.instructions[0])) return 'the nonce is not advanced first'
  const budgets = after.instructions.filter(isBudget).map(toComparable)
  if (!before.instructions.filter(isBudget).every(instruction => budgets.includes(toComparable(instruction))))
    return 'another compute budget than the sender has chosen'
  const [chosen, priority] = [before, after].map(({ instructions }) => getPriority(instructions))
  if (!chosen || !priority) return 'a compute budget that makes no sense'
  if (priority.most > getMost(chosen)) return `a priority fee of ${priority.most} lamports`
  // If another account pays, it must have signed; no other signatures are allowed.
  const signers = after.payer === before.payer ? [] : [after.payer]
  return after.signed.join() === signers.join() ? undefined : 'signatures that do not fit'
}

export function getPayer(transaction: Uint8Array): string {
  return read(transaction).payer
}
/** Returns the cost of the compute budget in lamports; undefined without a limit, because only the chain knows its default. */
export function exactPriority(transaction: Uint8Array): bigint | undefined {
  const priority = getPriority(read(transaction).instructions)
  return priority?.exact ? priority.most : undefined
}
