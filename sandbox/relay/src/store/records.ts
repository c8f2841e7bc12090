/** Log of signed records: append-only, one hash chain of all entries, and one history per wallet inside it. */
import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { sha256 } from '../crypto/jwk.js'
import type { Database } from '../db/open.js'
import { records } from '../db/schema.js'
import type { Transaction } from './sets.js'

/** Advisory lock of the log: a transaction that appends an entry is the only one until it ends. */
const LOCK = 4_300_000_002

export type LogEntry = typeof records.$inferSelect
export type NewLogEntry = Pick<LogEntry, 'environmentId' | 'walletId' | 'generation' | 'record' | 'policy'>

/** Newest record of a wallet. */
export interface WalletHead {
  readonly generation: number
  /** base64url SHA-256 of the record. */
  readonly hash: string
}

/** Makes the transaction the only one that appends records, until it ends. */
export async function lockRecords(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(LOCK))})`)
}

/** Returns undefined for a wallet without a record. */
export async function getHead(tx: Pick<Transaction, 'select'>, walletId: string): Promise<WalletHead | undefined> {
  const { generation, recordHash: hash } = records
  const [head] = await tx
    .select({ generation, hash })
    .from(records)
    .where(eq(records.walletId, walletId))
    .orderBy(desc(generation))
    .limit(1)
  return head
}

/** Returns the hash of a wallet's record of a generation. */
export async function findHash(
  tx: Pick<Transaction, 'select'>,
  walletId: string,
  generation: number,
): Promise<string | undefined> {
  const isRecord = and(eq(records.walletId, walletId), eq(records.generation, generation))
  const [row] = await tx.select({ hash: records.recordHash }).from(records).where(isRecord)
  return row?.hash
}

/** Returns a wallet's record of a generation. */
export async function findRecord(
  tx: Pick<Transaction, 'select'>,
  walletId: string,
  generation: number,
): Promise<string | undefined> {
  const isRecord = and(eq(records.walletId, walletId), eq(records.generation, generation))
  const [row] = await tx.select({ record: records.record }).from(records).where(isRecord)
  return row?.record
}

/** Returns the heads of the wallets after `after`, by ID, up to `until`. */
export function readHeads(
  db: Pick<Database, 'selectDistinctOn'>,
  { after, until, limit }: { readonly after: string; readonly until?: string | undefined; readonly limit: number },
) {
  const { walletId, generation, recordHash: hash } = records
  return db
    .selectDistinctOn([walletId], { walletId, generation, hash })
    .from(records)
    .where(and(gt(walletId, after), until === undefined ? undefined : lte(walletId, until)))
    .orderBy(asc(walletId), desc(generation))
    .limit(limit)
}

/** Appends an entry in a transaction that has locked the log. */
export async function appendRecord(tx: Transaction, entry: NewLogEntry): Promise<void> {
  const { sequence, hash } = records
  const [last] = await tx.select({ sequence, hash }).from(records).orderBy(desc(sequence)).limit(1)
  await tx
    .insert(records)
    .values({
      ...entry,
      sequence: (last?.sequence ?? 0) + 1,
      recordHash: sha256(entry.record),
      hash: sha256(`${last?.hash ?? ''}\n${entry.record}`),
    })
}
