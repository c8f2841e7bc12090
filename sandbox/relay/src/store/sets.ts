/**
 * Share sets: read once, cached, and changed under optimistic locking. A change is decided on the row that it
 * changes; if the cached row is stale, the write does not apply and the change is decided again.
 */
import type { Query } from '@keybay/sandbox-service/database'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { Cache } from '../cache.js'
import type { Counters } from '../db/counters.js'
import type { Database } from '../db/open.js'
import { audit, nonces, shareSets, wallets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { type AuditEntry, type AuditLink, chain } from './audit.js'
import { createSpendings, type Spending } from './spendings.js'

export type SetRow = typeof shareSets.$inferSelect
export type Transaction = Pick<Database, 'insert' | 'update' | 'delete' | 'select' | 'execute' | '$count'>

export interface Change {
  /** New values of the set's columns. */
  readonly values: Partial<Pick<SetRow, Changeable>> & { readonly [name in Exclude<keyof SetRow, Changeable>]?: never }
  readonly entry: AuditEntry
  /** New amounts spent by the wallet; not with `also`. Absent: unchanged. */
  readonly spent?: Counters['spent'] | undefined
}
/** Change, with the row and the spending that it was decided on. */
interface Decided {
  readonly row: SetRow
  readonly change: Change
  readonly spending: Spending
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

/** Serialises the changes of a set in this process; the version detects changes by other processes. */
function createTurns() {
  const running = new Map<string, Promise<unknown>>()
  return <T>(setId: string, work: () => Promise<T>): Promise<T> => {
    const turn = (running.get(setId) ?? Promise.resolve()).then(work, work)
    running.set(setId, turn)
    const done = () => {
      if (running.get(setId) === turn) running.delete(setId)
    }
    turn.then(done, done)
    return turn
  }
}

export function createSets(db: Database, query: Query) {
  const rowCache = new Cache<SetRow>()
  const { get: getSpending, keep: keepSpending, getCounters, count } = createSpendings()
  const inTurn = createTurns()
  const read = async (setId: string): Promise<SetRow | undefined> => {
    const [found] = await db
      .select({ row: shareSets, spending: { spent: wallets.spent, version: wallets.spentVersion } })
      .from(shareSets)
      .innerJoin(wallets, eq(wallets.id, shareSets.walletId))
      .where(eq(shareSets.id, setId))
    if (!found) return undefined
    keepSpending(found.row, found.spending)
    return rowCache.set(setId, found.row)
  }
  /** Returns true when the row or its wallet's spending differs from what was cached. */
  const isOutdated = (before: SetRow, spending: Spending, now: SetRow | undefined): boolean =>
    now?.version !== before.version || getSpending(before).version !== spending.version
  /** Accepts a refusal by a cached row only if the row is still current. */
  const decideOn = async (row: SetRow, decide: (row: SetRow) => Change): Promise<Decided> => {
    const spending = getSpending(row)
    try {
      return { row, change: decide(row), spending }
    } catch (error) {
      const now = await read(row.id)
      if (!now || !isOutdated(row, spending, now)) throw error
      return { row: now, change: decide(now), spending: getSpending(now) }
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
      const spending = before && getSpending(before)
      const now = await read(setId)
      return before !== undefined && spending !== undefined && isOutdated(before, spending, now)
    },
    getCounters,
    count,
    /** @throws RelayError `wallet_exists` for an ID that is taken */
    async insert(
      tx: Transaction,
      row: Omit<SetRow, 'version' | 'auditSequence' | 'auditHead' | 'blockedAt'>,
      entry: AuditEntry,
    ): Promise<SetRow> {
      const link = chain({ sequence: 0, hash: '' }, entry)
      const whole = { ...row, blockedAt: null, version: 0, auditSequence: link.sequence, auditHead: link.hash }
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
        for (let attempt = 0; attempt < TRIES; attempt++) {
          const { row: decided, change, spending } = await decideOn(row, decide)
          row = decided
          const { values, entry, spent } = change
          const link = chain({ sequence: row.auditSequence, hash: row.auditHead }, entry)
          const next = {
            ...row,
            ...values,
            version: row.version + 1,
            auditSequence: link.sequence,
            auditHead: link.hash,
          }
          const done = also
            ? await inTransaction(db, row, values, link, nonce, tx => also(tx, next))
            : await inStatement(query, row, values, link, { nonce, spent, spending })
          if (nonce && !done.fresh) throw nonce.replayed()
          if (done.moved && spent) keepSpending(row, { spent, version: spending.version + 1 })
          if (done.moved) return rowCache.set(next.id, { ...next, ...done.signed })
          row = (await read(row.id)) ?? row
        }
        throw new RelayError('busy')
      }),
  }
}

/** R1's new record of the row, if the change made one. */
type Signed = Partial<Pick<SetRow, 'record'>>
interface Done {
  /** False when the device signature was used before; a change that does not apply uses none up. */
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
  'blockedAt',
  'policy',
  'unconfirmed',
  'counters',
] as const
type Changeable = (typeof CHANGEABLE)[number]

/** Cached SQL statements by the columns that change. */
const statements = new Map<string, string>()

function getStatement(names: readonly Changeable[], withNonce: boolean, withSpent: boolean): string {
  const key = `${withNonce} ${withSpent} ${names.join()}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const first = withNonce ? 11 : 9
  const changed = names.map((name, index) => `${shareSets[name].name} = $${first + index}`)
  const [wallet, version, spent] = [0, 1, 2].map(index => `$${first + names.length + index}`)
  // The locks make concurrent changes wait, and then refuse what was decided on older values, before the nonce is used.
  const current = withSpent
    ? `select 1 from wallets where id = ${wallet} and spent_version = ${version} and exists (select 1 from row) for update`
    : 'select 1 from row'
  const fresh = withNonce
    ? 'insert into nonces (id, expires_at) select $9, $10::bigint from current on conflict do nothing returning 1'
    : 'select 1 from current'
  const counted = `update wallets set spent = ${spent}, spent_version = spent_version + 1
      where id = ${wallet} and exists (select 1 from moved)`
  const text = `with row as (select 1 from share_sets where id = $1 and version = $2 for update),
    current as (${current}), fresh as (${fresh}), moved as (
      update share_sets set ${['version = version + 1', 'audit_sequence = $3', 'audit_head = $4', ...changed].join(', ')}
      where id = $1 and version = $2 and exists (select 1 from fresh) returning 1
    ), ${withSpent ? `counted as (${counted}), ` : ''}entry as (
      insert into audit (set_id, sequence, entry, hash, at) select $5, $3, $6, $7, $8::bigint from moved
    )
    select (select count(*)::integer from current) as current, (select count(*)::integer from moved) as moved`
  statements.set(key, text)
  return text
}

async function inStatement(
  query: Query,
  row: SetRow,
  values: Change['values'],
  link: AuditLink,
  { nonce, spent, spending }: { nonce: Nonce | undefined; spent: Change['spent']; spending: Spending },
): Promise<Done> {
  const names = CHANGEABLE.filter(name => values[name] !== undefined)
  const changed = names.map(name => {
    const value = values[name]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
  })
  const [counts] = await query(getStatement(names, nonce !== undefined, spent !== undefined), [
    row.id,
    row.version,
    link.sequence,
    link.hash,
    row.id,
    link.entry,
    link.hash,
    link.at,
    ...(nonce ? [nonce.id, nonce.expiresAt] : []),
    ...changed,
    ...(spent ? [row.walletId, spending.version, JSON.stringify(spent)] : []),
  ])
  const { current, moved } = v.parse(countsSchema, counts)
  return { fresh: current === 0 || moved === 1, moved: moved === 1 }
}
const countsSchema = v.object({ current: v.number(), moved: v.number() })

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
