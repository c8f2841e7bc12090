/** Converts the result of `getTransaction` to the form that the page shows. */
import { at, callChain, list, number, text, texts, toMs } from '../chain/rpc.js'

type Detail = readonly [name: string, value: string]

/** Returns the fields that the node parsed, or the raw accounts and data. */
function getDetails(instruction: unknown): readonly Detail[] {
  const parsed = at(instruction, 'parsed')
  const info = at(parsed, 'info')
  if (typeof info === 'object' && info !== null)
    return Object.entries(info).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
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
  return typeof error === 'string' ? error : JSON.stringify(error)
}

export type Transaction = ReturnType<typeof readTransaction>

/** Amounts are in lamports, the time in ms since epoch. */
export function readTransaction(value: unknown, status: string) {
  const meta = at(value, 'meta')
  const message = at(value, 'transaction', 'message')
  const before = list(at(meta, 'preBalances'))
  const after = list(at(meta, 'postBalances'))
  const changes = list(at(message, 'accountKeys')).map((key, index) => ({
    address: text(at(key, 'pubkey')) ?? text(key) ?? 'unknown',
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
