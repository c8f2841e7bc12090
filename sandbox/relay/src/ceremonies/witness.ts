/** R2 witnesses every record of R1: R1 owes it each record from the transaction that makes the record valid. */
import { and, asc, between, eq, like } from 'drizzle-orm'
import * as v from 'valibot'
import { facts, records } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import type { Services } from '../services.js'
import type { LogEntry } from '../store/records.js'
import type { Transaction } from '../store/sets.js'

const OWED = 'owed '
/** Maximum number of records per run: the other relay may be away for long. */
const MAX = 100

type Place = Pick<LogEntry, 'walletId' | 'generation'>
const place = v.tuple([v.string(), v.number()])

function getName({ walletId, generation }: Place): string {
  return `${OWED}${walletId} ${String(generation).padStart(10, '0')}`
}

/** Stores that R1 owes R2 a record. */
export async function owe(tx: Pick<Transaction, 'insert'>, entries: readonly Place[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(entry => ({
    name: getName(entry),
    value: JSON.stringify([entry.walletId, entry.generation]),
  }))
  await tx.insert(facts).values(rows).onConflictDoNothing()
}

type Delivering = Pick<Services, 'db' | 'peer' | 'log' | 'comparison'>
const nothing = v.object({})

/**
 * Sends R2 the records that R1 owes it, of one wallet or of all. Never throws.
 * @param requestId ID of the request that the records are sent for
 * @returns true when R2 has them all
 */
export async function deliver(services: Delivering, walletId?: string, requestId?: string): Promise<boolean> {
  const { waiting, isRefused } = await sendOwed(services, walletId, requestId)
  // R2 has another history of a wallet: find out which one is behind before anything is signed.
  if (isRefused) services.comparison.restart()
  return waiting === 0
}

/**
 * Sends R2 the records that R1 owes it, of one wallet or of all. Never throws.
 *
 * @returns how many wallets still wait (at least), and whether R2 refused one of them for another history
 */
export async function sendOwed(services: Omit<Delivering, 'comparison'>, walletId?: string, requestId?: string) {
  const { db, peer, log } = services
  const waiting = new Set<string>()
  let isRefused = false
  const names = walletId === undefined ? `${OWED}%` : `${OWED}${walletId} %`
  const isOwed = like(facts.name, names)
  const rows = peer.exists ? await db.select().from(facts).where(isOwed).orderBy(asc(facts.name)).limit(MAX) : []
  for (const { name, value } of rows) {
    const [wallet, generation] = v.parse(place, JSON.parse(value))
    // R2 takes the records of a wallet in their order.
    if (waiting.has(wallet)) continue
    try {
      await send(services, { walletId: wallet, generation }, requestId)
      await db.delete(facts).where(eq(facts.name, name))
    } catch (error) {
      waiting.add(wallet)
      log({ level: 'warn', message: 'the other relay has not seen a record', error: String(error) })
      if (error instanceof RelayError && error.code === 'wallet_quarantined') isRefused = true
      if (error instanceof RelayError && error.code === 'peer_unavailable') break
    }
  }
  return { waiting: waiting.size, isRefused }
}

async function send(
  { db, peer }: Pick<Services, 'db' | 'peer'>,
  { walletId, generation }: Place,
  requestId: string | undefined,
): Promise<void> {
  const { environmentId, record, policy } = records
  const [entry] = await db
    .select({ environmentId, record, policy })
    .from(records)
    .where(and(eq(records.walletId, walletId), eq(records.generation, generation)))
  if (entry) await peer.compare('/peer/record', entry, nothing, requestId)
}

/** Owes R2 all records of a wallet from a generation on. */
export async function oweAgain(
  { db }: Pick<Services, 'db'>,
  walletId: string,
  from: number,
  to: number,
): Promise<void> {
  const { generation } = records
  const missing = await db
    .select({ walletId: records.walletId, generation })
    .from(records)
    .where(and(eq(records.walletId, walletId), between(generation, from, to)))
  await owe(db, missing)
}

/**
 * Waits until R2 has every record of the wallet, so that a restored R1 cannot bring an earlier epoch back. Without a
 * second relay there is nothing to wait for. @throws RelayError `peer_unavailable`
 */
export async function demandWitness(services: Delivering, walletId: string, requestId: string): Promise<void> {
  if (!services.peer.exists) return
  if (!(await deliver(services, walletId, requestId))) throw new RelayError('peer_unavailable')
}

/** Checks that R2 can witness the next record of the wallet. @throws RelayError `peer_unavailable` */
export async function demandPeer(services: Delivering, walletId: string, requestId: string): Promise<void> {
  await demandWitness(services, walletId, requestId)
  const question = { walletId, from: 0, limit: 0 }
  if (services.peer.exists) await services.peer.compare('/peer/history', question, nothing, requestId)
}
