/** Stores what providers remember until it expires, in the database, so that any instance can continue. */
import { randomBytes } from 'node:crypto'
import type { MovableClock } from '@keybay/sandbox-service'
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Database } from './db/open.js'
import { records } from './db/schema.js'

export type Payload = Record<string, unknown>

/** Returns 256 random bits in base64url. */
export function randomId(): string {
  return randomBytes(32).toString('base64url')
}

export type Records = ReturnType<typeof createRecords>

export function createRecords(db: Database, clock: MovableClock) {
  const open = (kind: string, id: string) =>
    and(
      eq(records.kind, kind),
      eq(records.id, id),
      isNull(records.consumedAt),
      or(isNull(records.expiresAt), gt(records.expiresAt, clock.now())),
    )
  return {
    /** Stores `payload` for `seconds`; returns its id. */
    async put(kind: string, payload: Payload, seconds: number, id = randomId()) {
      const expiresAt = clock.now() + seconds * 1000
      await db
        .insert(records)
        .values({ kind, id, payload, expiresAt })
        .onConflictDoUpdate({ target: [records.kind, records.id], set: { payload, expiresAt, consumedAt: null } })
      return id
    },
    /** Returns undefined if the record does not exist, has expired or was taken. */
    async get(kind: string, id: string): Promise<Payload | undefined> {
      const [row] = await db.select().from(records).where(open(kind, id))
      return row?.payload
    },
    /** Gets and removes a record: of two concurrent callers, only one gets it. */
    async take(kind: string, id: string): Promise<Payload | undefined> {
      const [row] = await db.update(records).set({ consumedAt: clock.now() }).where(open(kind, id)).returning()
      return row?.payload
    },
    async sweep() {
      await db.delete(records).where(lt(records.expiresAt, clock.now()))
    },
  }
}
