/**
 * Refuses a database of another version. Until the first release each service has one migration, which changes in
 * place, so a database with another one cannot be updated.
 */
import { readMigrationFiles } from 'drizzle-orm/migrator'
import * as v from 'valibot'

const rows = v.array(v.object({ hash: v.string() }))

/** @throws Error that says how to start without the data */
export async function checkVersion(migrationsFolder: string, query: (text: string) => PromiseLike<readonly unknown[]>) {
  const tables = await query(
    "select 1 from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'",
  )
  if (tables.length === 0) return
  const applied = v.parse(rows, await query('select hash from drizzle.__drizzle_migrations order by id'))
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  if (applied.some(({ hash }, index) => hash !== known[index]))
    throw new Error(
      'another version of the service made it, and there is no upgrade before the first release. Use an empty database. On a laptop, `npm start -- --fresh` begins again without the old data.',
    )
}
