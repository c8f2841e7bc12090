/**
 * Stores unconfirmed transactions in the instance's storage from signing on, so that a page that was reloaded or lost its network
 * continues confirming the same bytes. A signed transaction is not secret: the user has agreed to it, and the chain executes it
 * once, regardless of the sender.
 */
import type { Clock, Kernel } from '@keybay/kernel'
import { fromBase64, toBase64, toKeybayError, transactionTimedOut } from '@keybay/kernel/spec'
import { isAddress } from '../address.js'
import { at } from '../rpc/read.js'
import type {
  Confirmation,
  PlannedTransfer,
  SignedTransaction,
  SolanaTransactions,
  TransactionRecord,
} from '../steps.js'

const KEY = 'solana:pending'
/** Storage key of recent signatures and their times, kept slightly longer than their blockhash is valid. */
const RECENT_KEY = 'solana:recent'
const RECENT_MS = 180_000
/** Maximum number of stored transactions; the oldest are removed. */
const MAX_KEPT = 50
/** In ms; a blockhash expires far sooner, and a transaction with a durable nonce is confirmed for a week. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

interface Stored extends SignedTransaction {
  readonly signedAt: number
}

function toStored({
  transaction,
  transfers = [],
  signedAt,
  signature,
  networkId,
  from,
  lastValidBlockHeight,
  nonce,
}: Stored) {
  return {
    transaction: toBase64(transaction),
    transfers: transfers.map(({ to, amount, token }) => ({
      to,
      amount: String(amount),
      token: token && { ...token, withheld: String(token.withheld) },
    })),
    signedAt,
    signature,
    networkId,
    from,
    lastValidBlockHeight,
    nonce,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function readTransfer(value: unknown): readonly PlannedTransfer[] {
  const [to, amount, token] = [at(value, 'to'), at(value, 'amount'), at(value, 'token')]
  if (!isAddress(to) || !isText(amount)) return []
  if (token === undefined) return [{ to, amount: BigInt(amount) }]
  const field = (name: string) => at(token, name)
  const [mint, program, account] = [field('mint'), field('program'), field('account')]
  const [decimals, creates, withheld] = [field('decimals'), field('creates'), field('withheld')]
  if (!isAddress(mint) || !isAddress(program) || !isAddress(account) || !isNumber(decimals) || !isText(withheld))
    return []
  const planned = { mint, program, account, decimals, creates: creates === true, withheld: BigInt(withheld) }
  return [{ to, amount: BigInt(amount), token: planned }]
}
/** Ignores data written by another version or changed by other code. */
function readStored(value: unknown): readonly Stored[] {
  try {
    const field = (name: string) => at(value, name)
    const [transaction, transfers, signature, from] = ['transaction', 'transfers', 'signature', 'from'].map(field)
    const [signedAt, networkId, lastValid] = ['signedAt', 'networkId', 'lastValidBlockHeight'].map(field)
    const [account, nonce] = [at(value, 'nonce', 'account'), at(value, 'nonce', 'value')]
    if (!isText(transaction) || !isText(signature) || !isAddress(from) || !isNumber(signedAt) || !isNumber(networkId))
      return []
    return [
      {
        transaction: fromBase64(transaction),
        transfers: Array.isArray(transfers) ? transfers.flatMap(readTransfer) : [],
        signature,
        from,
        signedAt,
        networkId,
        lastValidBlockHeight: isNumber(lastValid) ? lastValid : undefined,
        nonce: isText(account) && isText(nonce) ? { account, value: nonce } : undefined,
      },
    ]
  } catch {
    return []
  }
}
/** Internal functions for the pipeline, in addition to the public API. */
export interface TransactionLog extends SolanaTransactions {
  /** Returns true if the same bytes were already signed here, in another tab for another send. */
  has(signature: string): Promise<boolean>
  add(signed: SignedTransaction): Promise<void>
  /** Records the outcome; only a definite one removes the transaction. */
  end(signature: string, outcome: Confirmation | { readonly error: unknown }): Promise<void>
}
/** Returns true for a timeout that is not final: the transaction may still land. */
function isOpen(error: { readonly code: string; readonly details?: unknown }): boolean {
  return (
    ['aborted', 'rpc_unreachable', 'rpc_refused', 'rpc_malformed', 'disposed'].includes(error.code) ||
    (error.code === transactionTimedOut.code && at(error.details, 'state') !== 'expired')
  )
}

export function createTransactionLog(
  { storage, logger }: Pick<Kernel, 'storage' | 'logger'>,
  clock: Clock,
  confirm: (signed: SignedTransaction) => Promise<Confirmation>,
): TransactionLog {
  let records: readonly TransactionRecord[] = []
  const listeners = new Set<() => void>()
  const show = (next: readonly TransactionRecord[]) => {
    records = next
    for (const listener of [...listeners])
      try {
        listener()
      } catch (error) {
        logger.error('transactions', error)
      }
  }
  const read = async (): Promise<readonly Stored[]> => {
    const stored = await storage.get(KEY)
    const oldest = clock.now() - MAX_AGE_MS
    return Array.isArray(stored) ? stored.flatMap(readStored).filter(({ signedAt }) => signedAt > oldest) : []
  }
  const readRecent = async (): Promise<readonly (readonly [string, number])[]> => {
    const stored = await storage.get(RECENT_KEY)
    if (!Array.isArray(stored)) return []
    return stored.flatMap(entry => {
      const [signature, at] = Array.isArray(entry) ? entry : []
      return isText(signature) && isNumber(at) && at > clock.now() - RECENT_MS ? [[signature, at] as const] : []
    })
  }
  /** Serializes changes in this tab and, if the browser supports locks, across tabs. */
  let queue: Promise<unknown> = Promise.resolve()
  const change = (how: (all: readonly Stored[]) => readonly Stored[], signed?: string): Promise<void> => {
    const run = async () => {
      const next = how(await read()).slice(-MAX_KEPT)
      await (next.length ? storage.set(KEY, next.map(toStored)) : storage.remove(KEY))
      if (signed) await storage.set(RECENT_KEY, [...(await readRecent()), [signed, clock.now()]])
    }
    const locks = globalThis.navigator?.locks
    const done = queue.then(() => (locks ? locks.request(`keybay:${KEY}`, run) : run()))
    queue = done.catch(error => logger.error(KEY, error))
    return done.then(() => {})
  }
  const getRecord = ({ signature, networkId, from, transfers = [], signedAt }: Stored): TransactionRecord => ({
    signature,
    networkId,
    from,
    transfers,
    signedAt,
    status: 'pending',
  })
  const update = (signature: string, patch: Partial<TransactionRecord>) =>
    show(records.map(record => (record.signature === signature ? { ...record, ...patch } : record)))

  const end: TransactionLog['end'] = async (signature, outcome) => {
    busy.delete(signature)
    if ('error' in outcome) {
      const error = toKeybayError(outcome.error)
      if (isOpen(error)) return update(signature, { error })
      update(signature, { error, status: error.code === transactionTimedOut.code ? 'expired' : 'failed' })
    } else update(signature, { status: 'confirmed', slot: outcome.slot, error: undefined })
    await change(all => all.filter(stored => stored.signature !== signature)).catch(() => {})
  }
  /** Signatures that are being confirmed. */
  const busy = new Set<string>()
  const confirmStored = (stored: Stored) => {
    busy.add(stored.signature)
    return confirm(stored).then(
      confirmation => end(stored.signature, confirmation),
      error => end(stored.signature, { error }),
    )
  }
  return {
    list: () => records,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    has: async signature => (await readRecent()).some(([known]) => known === signature),
    async add(signed) {
      const stored = { ...signed, signedAt: clock.now() }
      busy.add(signed.signature)
      show([getRecord(stored), ...records])
      await change(all => [...all, stored], signed.signature).catch(() => {})
    },
    end,
    async resume() {
      const left = (await read()).filter(({ signature }) => !busy.has(signature))
      const fresh = left.filter(({ signature }) => !records.some(record => record.signature === signature))
      if (fresh.length) show([...fresh.map(getRecord).reverse(), ...records])
      await Promise.all(left.map(confirmStored))
    },
  }
}
