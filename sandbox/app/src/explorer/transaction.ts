/** Converts the result of `getTransaction` to the form that the page shows. */
import { at, list, number, text, texts } from '../chain/json.js'
import { callChain } from '../chain/rpc.js'

export interface Instruction {
  /** `system`, `spl-token`, … or the program's address. */
  readonly program: string
  readonly programId: string
  /** `transfer`, … if the node can parse the instruction. */
  readonly type: string | undefined
  /** The fields that the node parsed, or the raw accounts and data. */
  readonly details: readonly (readonly [name: string, value: string])[]
}
export interface BalanceChange {
  readonly address: string
  readonly isSigner: boolean
  /** lamports */
  readonly before: number
  readonly after: number
}
export interface Transaction {
  readonly slot: number
  /** ms since epoch */
  readonly time: number | undefined
  /** lamports */
  readonly fee: number
  /** Undefined when the transaction succeeded. */
  readonly error: string | undefined
  readonly status: string
  readonly computeUnits: number | undefined
  readonly version: string
  readonly instructions: readonly Instruction[]
  readonly changes: readonly BalanceChange[]
  readonly logs: readonly string[]
}

function readInstruction(value: unknown): Instruction {
  const programId = text(at(value, 'programId')) ?? 'unknown'
  const info = at(value, 'parsed', 'info')
  const parsed = at(value, 'parsed')
  const details: [string, string][] =
    typeof info === 'object' && info !== null
      ? Object.entries(info).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)])
      : typeof parsed === 'string'
        ? [['text', parsed]]
        : [
            ...texts(at(value, 'accounts')).map((account, index): [string, string] => [
              `account ${index + 1}`,
              account,
            ]),
            ['data', text(at(value, 'data')) || 'none'],
          ]
  const program = text(at(value, 'program')) ?? programId
  return { program, programId, type: text(at(value, 'parsed', 'type')), details }
}

export function readTransaction(value: unknown, status: string): Transaction {
  const meta = at(value, 'meta')
  const message = at(value, 'transaction', 'message')
  const seconds = number(at(value, 'blockTime'))
  const error = at(meta, 'err')
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
    time: seconds === undefined ? undefined : seconds * 1000,
    fee: number(at(meta, 'fee')) ?? 0,
    error:
      error === null || error === undefined ? undefined : typeof error === 'string' ? error : JSON.stringify(error),
    status,
    computeUnits: number(at(meta, 'computeUnitsConsumed')),
    version: String(at(value, 'version') ?? 'legacy'),
    instructions: list(at(message, 'instructions')).map(readInstruction),
    changes,
    logs: texts(at(meta, 'logMessages')),
  }
}

/** Returns undefined when the chain does not know the transaction. @throws ChainError */
export async function loadTransaction(
  url: string,
  signature: string,
  signal: AbortSignal,
): Promise<Transaction | undefined> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const [found, statuses] = await Promise.all([
    callChain(url, 'getTransaction', [signature, options], signal),
    callChain(url, 'getSignatureStatuses', [[signature], { searchTransactionHistory: true }], signal),
  ])
  if (found === null || found === undefined) return undefined
  return readTransaction(found, text(at(statuses, 'value', 0, 'confirmationStatus')) ?? 'confirmed')
}
