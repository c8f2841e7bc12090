/** Shared by all ceremonies: a step runs once, together with its device signature; a repeat gets the same response. */

import { and, eq, like } from 'drizzle-orm'
import * as v from 'valibot'
import type { Authority } from '../authority/authorize.js'
import { sha256 } from '../crypto/jwk.js'
import { facts } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { type Call, parse, type Schema } from '../http/route.js'
import type { Services } from '../services.js'
import type { CeremonyRow } from '../store/ceremonies.js'
import { type Transaction, takeNonce } from '../store/sets.js'

/** Lifetime of a ceremony, in ms; the user may have to save a file. */
export const CEREMONY_LIFETIME = 30 * 60_000
/** Lifetime of a finished ceremony, in ms: its last request may be repeated long after the response was lost. */
export const DONE_LIFETIME = 30 * 86_400_000
/** Lifetime of a ceremony that waits at R2 for R1's record, in ms. */
export const CONFIRMED_LIFETIME = 365 * 86_400_000

/** Uses up the device signature and does the writes, or neither. @throws the error of a replay */
export async function once(
  { services }: Call,
  { nonce }: Authority,
  write: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  return services.db.transaction(async tx => {
    if (!(await takeNonce(tx, nonce))) throw nonce.replayed()
    await write(tx)
  })
}

/** Returns the stored response when this exact body already led to this step. */
export async function answered(
  call: Call,
  authority: Authority,
  row: CeremonyRow | undefined,
  step: string,
): Promise<unknown> {
  if (row?.step !== step || row.bodyHash !== sha256(call.rawBody)) return undefined
  await once(call, authority, async () => undefined)
  return JSON.parse(row.answer)
}

/** Forwards the call from R1 to R2 and reads the response. */
export async function askPeer<S extends Schema>(
  call: Call,
  schema: S,
  extra: unknown = {},
  mfa?: string,
): Promise<v.InferOutput<S>> {
  const answer = await call.services.peer.ask(call, extra, mfa)
  try {
    return parse('peer', schema, answer)
  } catch {
    throw new RelayError('peer_unavailable')
  }
}

/** Forwards a call about a set that R2 should know, after sending R2 the records that it missed. */
export async function askSetPeer<S extends Schema>(
  call: Call,
  setId: string,
  schema: S,
  extra?: unknown,
  mfa?: string,
): Promise<v.InferOutput<S>> {
  await showOwed(call.services, setId)
  return askPeer(call, schema, extra, mfa)
}

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
