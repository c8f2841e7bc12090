/** Converts the result of `getTransaction` to the form that the page shows. */
import { at, callChain, list, number, text, texts, toMs } from '../chain/rpc.js'

export interface TokenChange {
  readonly account: string
  readonly owner: string
  readonly mint: string
  readonly decimals: number
  /** Smallest units. */
  readonly before: bigint
  readonly after: bigint
}

type Detail = readonly [name: string, value: string]

/** Names each value of a field by the way to it. Of the forms of a token amount, shows the one with decimals. */
function flatten(name: string, value: unknown): readonly Detail[] {
  const amount = text(at(value, 'uiAmountString'))
  if (amount !== undefined) return [[name, amount]]
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name} ${isList ? Number(key) + 1 : key}`, part))
}

/** Returns the fields that the node parsed, or the raw accounts and data. */
function getDetails(instruction: unknown): readonly Detail[] {
  const parsed = at(instruction, 'parsed')
  const info = at(parsed, 'info')
  if (typeof info === 'object' && info !== null)
    return Object.entries(info).flatMap(([name, value]) => flatten(name, value))
  if (typeof parsed === 'string') return [['text', parsed]]
  const accounts = texts(at(instruction, 'accounts')).map((account, index): Detail => [`account ${index + 1}`, account])
  return [...accounts, ['data', text(at(instruction, 'data')) || 'none']]
}

function readInstruction(value: unknown) {
  const programId = text(at(value, 'programId')) ?? 'unknown'
  return {
    /** `system`, `spl-token`, … or the program's address. */
    program: text(at(value, 'program')) ?? programId,
    programId,
    /** `transfer`, … if the node can parse the instruction. */
    type: text(at(value, 'parsed', 'type')),
    details: getDetails(value),
  }
}

/** Returns undefined when the transaction succeeded. */
function readError(meta: unknown): string | undefined {
  const error = at(meta, 'err')
  if (error === null || error === undefined) return undefined
  if (typeof error === 'string') return error
  const [index, cause] = list(at(error, 'InstructionError'))
  const place = typeof index === 'number' ? `Instruction ${index + 1}` : 'Transaction'
  return flatten(place, cause ?? error)
    .map(detail => detail.join(': '))
    .join(', ')
}

function readUnits(balance: unknown): bigint {
  return BigInt(text(at(balance, 'uiTokenAmount', 'amount')) ?? 0)
}

/** Returns the token accounts whose amount changed. An account that is missing before or after had nothing. */
function readTokenChanges(meta: unknown, keys: readonly string[]): readonly TokenChange[] {
  const before = list(at(meta, 'preTokenBalances'))
  const after = list(at(meta, 'postTokenBalances'))
  const known = new Map([...before, ...after].map(balance => [number(at(balance, 'accountIndex')) ?? -1, balance]))
  const changes = [...known].map(([index, balance]) => {
    const find = (balances: readonly unknown[]) => balances.find(other => at(other, 'accountIndex') === index)
    return {
      account: keys[index] ?? 'unknown',
      owner: text(at(balance, 'owner')) ?? 'unknown',
      mint: text(at(balance, 'mint')) ?? 'unknown',
      decimals: number(at(balance, 'uiTokenAmount', 'decimals')) ?? 0,
      before: readUnits(find(before)),
      after: readUnits(find(after)),
    }
  })
  return changes.filter(({ before, after }) => before !== after)
}

export type Transaction = ReturnType<typeof readTransaction>

/** Amounts are in lamports, the time in ms since epoch. */
export function readTransaction(value: unknown, status: string) {
  const meta = at(value, 'meta')
  const message = at(value, 'transaction', 'message')
  const before = list(at(meta, 'preBalances'))
  const after = list(at(meta, 'postBalances'))
  const accounts = list(at(message, 'accountKeys'))
  const keys = accounts.map(key => text(at(key, 'pubkey')) ?? text(key) ?? 'unknown')
  const changes = accounts.map((key, index) => ({
    address: keys[index] ?? 'unknown',
    isSigner: at(key, 'signer') === true,
    before: number(before[index]) ?? 0,
    after: number(after[index]) ?? 0,
  }))
  return {
    slot: number(at(value, 'slot')) ?? 0,
    time: toMs(at(value, 'blockTime')),
    fee: number(at(meta, 'fee')) ?? 0,
    error: readError(meta),
    status,
    computeUnits: number(at(meta, 'computeUnitsConsumed')),
    version: String(at(value, 'version') ?? 'legacy'),
    instructions: list(at(message, 'instructions')).map(readInstruction),
    changes,
    tokenChanges: readTokenChanges(meta, keys),
    logs: texts(at(meta, 'logMessages')),
  }
}

/** Returns undefined when the chain does not know the transaction. @throws ChainError */
export async function loadTransaction(url: string, signature: string, signal: AbortSignal) {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const [transaction, statuses] = await Promise.all([
    callChain(url, 'getTransaction', [signature, options], signal),
    callChain(url, 'getSignatureStatuses', [[signature], { searchTransactionHistory: true }], signal),
  ])
  if (transaction === null || transaction === undefined) return undefined
  return readTransaction(transaction, text(at(statuses, 'value', 0, 'confirmationStatus')) ?? 'confirmed')
}
