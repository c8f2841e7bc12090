/**
 * Delivers R1's records to R2, at once if possible. Otherwise R1 stores the debt and
 * sends the record before its next request to R2 about the set, or when R2 is
 * reachable again, for sets without requests: revoked sets and sets that R2 has left.
 */
import { and, eq, like } from 'drizzle-orm'
import * as v from 'valibot'
import { facts } from '../db/schema.js'
import type { Call } from '../http/call.js'
import type { Services } from '../services.js'
import type { Transaction } from '../store/sets.js'

const OWED = 'owed '
const owed = v.tuple([v.string(), v.string()])
/** Maximum number of records per run: the other relay may be away for long. */
const MAX = 100

/** Stores that R1 owes R2 the record, in the transaction that makes the record valid. */
export async function oweRecord(
  tx: Transaction,
  { environmentId, setId, record }: { readonly environmentId: string; readonly setId: string; readonly record: string },
): Promise<void> {
  const value = JSON.stringify([environmentId, record])
  const target = facts.name
  await tx
    .insert(facts)
    .values({ name: OWED + setId, value })
    .onConflictDoUpdate({ target, set: { value } })
}

type Telling = Pick<Services, 'db' | 'peer' | 'log'>
/** @returns true when R2 has the record */
async function tell({ peer, log }: Telling, environmentId: string, record: string): Promise<boolean> {
  try {
    await peer.tell(environmentId, record)
    return true
  } catch (error) {
    log({ level: 'warn', message: 'the other relay has not seen a record', error: String(error) })
    return false
  }
}

/** Never fails, since R2 learns of it later too. @param involved whether R2 has, had or gets a share of the set */
export async function showRecord({ services, environment }: Call, record: string, involved: boolean): Promise<void> {
  if (!involved || !(await tell(services, environment.id, record))) return
  await services.db.delete(facts).where(eq(facts.value, JSON.stringify([environment.id, record])))
}

/** What R2 has not seen yet, once more. @param setId of this set alone */
export async function showOwed(services: Telling, setId?: string): Promise<void> {
  const { db } = services
  const rows = await db
    .select()
    .from(facts)
    .where(setId === undefined ? like(facts.name, `${OWED}%`) : eq(facts.name, OWED + setId))
    .limit(MAX)
  for (const { name, value } of rows) {
    const [environmentId, record] = v.parse(owed, JSON.parse(value))
    if (await tell(services, environmentId, record))
      await db.delete(facts).where(and(eq(facts.name, name), eq(facts.value, value)))
  }
}
