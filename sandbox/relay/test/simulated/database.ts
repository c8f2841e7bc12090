/** PGlite of a simulated relay: connections that die with their process, and snapshots of all rows. */
import type { PGlite, Transaction } from '@electric-sql/pglite'

export type Snapshot = ReadonlyMap<string, string>
/** Called before each statement. @returns true if the process is dead, so that the statement never runs */
export type Gate = () => boolean

/** Resolves never, as a call of a dead process. */
export function hang<T>(): Promise<T> {
  return new Promise(() => {})
}

/** A transaction of a dead process fails, so that PGlite rolls it back. */
function watchTransaction(transaction: Transaction, gate: Gate): Transaction {
  return new Proxy(transaction, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        if (gate()) throw new Error('the process is dead')
        return Reflect.apply(value, target, values)
      }
    },
  })
}

/** Opens a connection that works until `gate` says that its process is dead. */
export function connect(client: PGlite, gate: Gate): PGlite {
  const own = new Map<PropertyKey, unknown>()
  return new Proxy(client, {
    set: (_, name, value) => own.set(name, value) !== undefined,
    get(target, name) {
      if (own.has(name)) return own.get(name)
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name === 'transaction')
        return (act: (transaction: Transaction) => Promise<unknown>) =>
          gate() ? hang() : target.transaction(transaction => act(watchTransaction(transaction, gate)))
      if (name === '_runExclusiveTransaction')
        return (...values: unknown[]) => (gate() ? hang() : Reflect.apply(value, target, values))
      return value.bind(target)
    },
  })
}

async function listTables(client: PGlite): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function takeSnapshot(client: PGlite): Promise<Snapshot> {
  const tables = await listTables(client)
  const contents: [string, string][] = []
  for (const table of tables) {
    const { rows } = await client.query<{ content: string }>(
      `select coalesce(json_agg(rows), '[]')::text as content from ${table} rows`,
    )
    contents.push([table, rows[0]?.content ?? '[]'])
  }
  return new Map(contents)
}

/** Puts all rows back, as a restore by the operator does. */
export function putBack(client: PGlite, snapshot: Snapshot): Promise<void> {
  return client.transaction(async transaction => {
    // Triggers keep services from rewriting the audit log; a restore is not bound by them.
    await transaction.exec('set local session_replication_role = replica')
    for (const table of snapshot.keys()) await transaction.exec(`delete from ${table}`)
    for (const [table, content] of snapshot)
      if (content !== '[]')
        await transaction.query(
          `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
          [content],
        )
  })
}
