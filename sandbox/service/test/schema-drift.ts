/** Compares a service's schema in code with the database that its migration creates. */
import { is } from 'drizzle-orm'
import { getTableConfig, PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { expect } from 'vitest'
import type { OpenDatabaseFunction, Schema } from '../src/database/open.js'

interface Table {
  readonly columns: readonly string[]
  readonly indexes: readonly string[]
  readonly references: readonly string[]
}

function index(columns: readonly string[], isUnique: boolean, isPartial = false): string {
  return `${isUnique ? 'unique ' : ''}${columns.join(', ')}${isPartial ? ' (partial)' : ''}`
}

function describeTable(table: PgTable): Table {
  const { columns, indexes, primaryKeys, uniqueConstraints, foreignKeys } = getTableConfig(table)
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  return {
    columns: columns
      .map(column => {
        const { name, notNull, hasDefault, generatedIdentity } = column
        return [name, column.getSQLType(), notNull, hasDefault && !generatedIdentity].join(' ')
      })
      .sort(),
    indexes: [
      ...columns.filter(({ primary, isUnique }) => primary || isUnique).map(({ name }) => index([name], true)),
      ...primaryKeys.map(({ columns }) => index(names(columns), true)),
      ...uniqueConstraints.map(({ columns }) => index(names(columns), true)),
      ...indexes.map(({ config }) =>
        index(
          config.columns.map(column => (is(column, PgColumn) || 'name' in column ? String(column.name) : 'expression')),
          config.unique,
          config.where !== undefined,
        ),
      ),
    ].sort(),
    references: foreignKeys
      .map(key => {
        const { columns, foreignTable, foreignColumns } = key.reference()
        const target = `${getTableConfig(foreignTable).name}(${names(foreignColumns)})`
        return `${names(columns)} -> ${target} on delete ${key.onDelete ?? 'no action'}`
      })
      .sort(),
  }
}

const TABLES = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
const COLUMNS = `select table_name as name, column_name || ' ' || data_type || ' ' || (is_nullable = 'NO') || ' ' || (column_default is not null) as text
  from information_schema.columns where table_schema = 'public'`
const INDEXES = `select t.relname as name, (case when i.indisunique then 'unique ' else '' end)
    || (select string_agg(coalesce(a.attname, 'expression'), ', ' order by k.place)
        from unnest(i.indkey) with ordinality as k(number, place)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number > 0)
    || (case when i.indpred is null then '' else ' (partial)' end) as text
  from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace where n.nspname = 'public'`
const REFERENCES = `select t.relname as name, a.attname || ' -> ' || f.relname || '(' || b.attname || ') on delete '
    || (case c.confdeltype when 'c' then 'cascade' when 'a' then 'no action' else c.confdeltype::text end) as text
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
  join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
  join pg_attribute b on b.attrelid = f.oid and b.attnum = c.confkey[1] where c.contype = 'f'`

/** Fails when the migration creates another database than the schema in code describes. */
export async function expectNoDrift<S extends Schema>(schema: S, openDatabase: OpenDatabaseFunction<S>): Promise<void> {
  const tables = Object.values(schema).filter(value => is(value, PgTable))
  const inCode = Object.fromEntries(tables.map(table => [getTableConfig(table).name, describeTable(table)]))
  const { query, close } = await openDatabase({})
  try {
    const read = async (text: string, table: string) =>
      (await query(`select text from (${text}) as all_tables where name = $1`, [table]))
        .map(row => String(Reflect.get(Object(row), 'text')))
        .sort()
    const names = (await query(TABLES, [])).map(row => String(Reflect.get(Object(row), 'name')))
    const inDatabase = Object.fromEntries(
      await Promise.all(
        names.map(async name => [
          name,
          {
            columns: await read(COLUMNS, name),
            indexes: await read(INDEXES, name),
            references: await read(REFERENCES, name),
          },
        ]),
      ),
    )
    expect(inDatabase, 'The migration and src/db/schema.ts differ; README, "Database", says how to make it.').toEqual(
      inCode,
    )
  } finally {
    await close()
  }
}
