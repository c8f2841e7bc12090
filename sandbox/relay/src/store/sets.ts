/**
 * Share sets: read once, cached, and changed under optimistic locking. A change is decided on the row that it
 * changes; if the cached row is stale, the write does not apply and the change is decided again.
 */
import type { Query } from '@keybay/sandbox-service/database'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { Cache } from '../cache.js'
import type { Database } from '../db/open.js'
import { audit, nonces, shareSets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { type AuditEntry, type AuditLink, chain } from './audit.js'

export type SetRow = typeof shareSets.$inferSelect
export type Transaction = Pick<Database, 'insert' | 'update' | 'delete' | 'select' | 'execute' | '$count'>

export interface Change {
  /** New values of the set's columns. */
  readonly values: Partial<Pick<SetRow, Changeable>>
  readonly entry: AuditEntry
}
/** Device signature to use up together with the change. */
export interface Nonce {
  readonly id: string
  readonly expiresAt: number
  /** Returns the error for a signature that was used before. */
  readonly replayed: () => Error
}
export type Sets = ReturnType<typeof createSets>

const TRIES = 8

export function createSets(db: Database, query: Query) {
  const rowCache = new Cache<SetRow>()
  const running = new Map<string, Promise<unknown>>()
  const read = async (setId: string): Promise<SetRow | undefined> => {
    const [row] = await db.select().from(shareSets).where(eq(shareSets.id, setId))
    if (row) rowCache.set(row.id, row)
    return row
  }
  /** Serialises the changes of a set in this process; the version detects changes by other processes. */
  const inTurn = <T>(setId: string, work: () => Promise<T>): Promise<T> => {
    const turn = (running.get(setId) ?? Promise.resolve()).then(work, work)
    running.set(setId, turn)
    const done = () => {
      if (running.get(setId) === turn) running.delete(setId)
    }
    turn.then(done, done)
    return turn
  }
  /** Accepts a refusal by a cached row only if the row is still current. */
  const decideOn = async (row: SetRow, decide: (row: SetRow) => Change): Promise<{ row: SetRow; change: Change }> => {
    try {
      return { row, change: decide(row) }
    } catch (error) {
      const now = await read(row.id)
      if (!now || now.version === row.version) throw error
      return { row: now, change: decide(now) }
    }
  }
  return {
    /** Reads the row from the database. */
    async find(environmentId: string, setId: string): Promise<SetRow | undefined> {
      const row = await read(setId)
      return row?.environmentId === environmentId ? row : undefined
    },
    /** Returns the cached row, which another instance may have changed since. */
    async recall(environmentId: string, setId: string): Promise<SetRow | undefined> {
      const row = rowCache.get(setId) ?? (await read(setId))
      return row?.environmentId === environmentId ? row : undefined
    },
    /** Returns true when the row has changed since it was cached; `recall` then returns the new row. */
    async hasChanged(setId: string): Promise<boolean> {
      const before = rowCache.get(setId)
      const now = await read(setId)
      return before !== undefined && now?.version !== before.version
    },
    /** @throws RelayError `wallet_exists` for an ID that is taken */
    async insert(
      tx: Transaction,
      row: Omit<SetRow, 'version' | 'auditSequence' | 'auditHead'>,
      entry: AuditEntry,
    ): Promise<SetRow> {
      const link = chain({ sequence: 0, hash: '' }, entry)
      const whole = { ...row, version: 0, auditSequence: link.sequence, auditHead: link.hash }
      const [made] = await tx.insert(shareSets).values(whole).onConflictDoNothing().returning({ id: shareSets.id })
      if (!made) throw new RelayError('wallet_exists')
      await tx.insert(audit).values({ setId: row.id, ...link })
      return whole
    },
    /**
     * Decides on the row and changes it, with its audit entry and the nonce, in one statement; or with `also` in one
     * transaction, which may sign the record of the changed row. `decide` may run again on a newer row. @throws errors of `decide`; RelayError `busy`
     */
    change: (
      first: SetRow,
      decide: (row: SetRow) => Change,
      nonce?: Nonce,
      also?: (tx: Transaction, next: SetRow) => Promise<Signed>,
    ): Promise<SetRow> =>
      inTurn(first.id, async () => {
        let row = rowCache.get(first.id) ?? first
        let unusedNonce = nonce
        for (let attempt = 0; attempt < TRIES; attempt++) {
          const decided = await decideOn(row, decide)
          row = decided.row
          const { values, entry } = decided.change
          const link = chain({ sequence: row.auditSequence, hash: row.auditHead }, entry)
          const next = {
            ...row,
            ...values,
            version: row.version + 1,
            auditSequence: link.sequence,
            auditHead: link.hash,
          }
          const done = also
            ? await inTransaction(db, row, values, link, unusedNonce, tx => also(tx, next))
            : await inStatement(query, row, values, link, unusedNonce)
          if (unusedNonce && !done.fresh) throw unusedNonce.replayed()
          if (done.moved) return rowCache.set(next.id, { ...next, ...done.signed })
          // A single statement uses up the nonce even when the change does not apply.
          if (!also) unusedNonce = undefined
          row = (await read(row.id)) ?? row
        }
        throw new RelayError('busy')
      }),
  }
}

/** R1's new record of the row, if the change made one. */
type Signed = Partial<Pick<SetRow, 'record'>>
interface Done {
  readonly fresh: boolean
  readonly moved: boolean
  readonly signed?: Signed
}

const CHANGEABLE = [
  'status',
  'publicSet',
  'epoch',
  'share',
  'record',
  'deviceKey',
  'thumbprint',
  'failures',
  'lockedAt',
  'frozenAt',
  'quarantinedAt',
  'lostAt',
  'policy',
  'counters',
] as const
type Changeable = (typeof CHANGEABLE)[number]

/** Cached SQL statements by the columns that change. */
const statements = new Map<string, string>()

function getStatement(names: readonly Changeable[], withNonce: boolean): string {
  const key = `${withNonce} ${names.join()}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const fresh = withNonce
    ? 'insert into nonces (id, expires_at) values ($8, $9) on conflict do nothing returning 1'
    : 'select 1'
  const first = withNonce ? 10 : 8
  const changed = names.map((name, index) => `${shareSets[name].name} = $${first + index}`)
  const text = `with fresh as (${fresh}), moved as (
      update share_sets set ${['version = version + 1', 'audit_sequence = $3', 'audit_head = $4', ...changed].join(', ')}
      where id = $1 and version = $2 and exists (select 1 from fresh) returning 1
    ), entry as (
      insert into audit (set_id, sequence, entry, hash) select $5, $3, $6, $7 from moved
    )
    select (select count(*)::integer from fresh) as fresh, (select count(*)::integer from moved) as moved`
  statements.set(key, text)
  return text
}

async function inStatement(
  query: Query,
  row: SetRow,
  values: Change['values'],
  link: AuditLink,
  nonce: Nonce | undefined,
): Promise<Done> {
  const names = CHANGEABLE.filter(name => values[name] !== undefined)
  const changed = names.map(name => {
    const value = values[name]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
  })
  const [counts] = await query(getStatement(names, nonce !== undefined), [
    row.id,
    row.version,
    link.sequence,
    link.hash,
    row.id,
    link.entry,
    link.hash,
    ...(nonce ? [nonce.id, nonce.expiresAt] : []),
    ...changed,
  ])
  const { fresh, moved } = v.parse(countsSchema, counts)
  return { fresh: fresh === 1, moved: moved === 1 }
}
const countsSchema = v.object({ fresh: v.number(), moved: v.number() })

class NotDone extends Error {}

async function inTransaction(
  db: Database,
  row: SetRow,
  values: Change['values'],
  link: AuditLink,
  nonce: Nonce | undefined,
  also: (tx: Transaction) => Promise<Signed>,
): Promise<Done> {
  let fresh = true
  let signed: Signed = {}
  try {
    await db.transaction(async tx => {
      if (nonce) fresh = await takeNonce(tx, nonce)
      if (!fresh) throw new NotDone()
      const moved = await tx
        .update(shareSets)
        .set({ ...values, version: row.version + 1, auditSequence: link.sequence, auditHead: link.hash })
        .where(and(eq(shareSets.id, row.id), eq(shareSets.version, row.version)))
        .returning({ id: shareSets.id })
      if (moved.length === 0) throw new NotDone()
      await tx.insert(audit).values({ setId: row.id, ...link })
      signed = await also(tx)
      if (signed.record !== undefined) await tx.update(shareSets).set(signed).where(eq(shareSets.id, row.id))
    })
    return { fresh, moved: true, signed }
  } catch (error) {
    if (error instanceof NotDone) return { fresh, moved: false }
    throw error
  }
}

/** Uses up a device signature. Returns true when it was not used before. */
export async function takeNonce(
  tx: Pick<Database, 'insert'>,
  { id, expiresAt }: Pick<Nonce, 'id' | 'expiresAt'>,
): Promise<boolean> {
  const taken = await tx.insert(nonces).values({ id, expiresAt }).onConflictDoNothing().returning({ id: nonces.id })
  return taken.length === 1
}
