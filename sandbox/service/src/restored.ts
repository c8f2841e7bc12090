/** Compares a restored copy of a database with the live one: what ended since the backup would be valid again. */
import { inArray, type SQL, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { DatabaseOf, Schema } from './database/open.js'

export type ReadDatabase = Pick<DatabaseOf<Schema>, 'select' | 'selectDistinctOn' | 'execute'>

export interface Databases {
  /** The restored copy. */
  readonly copy: ReadDatabase
  /** The database that the service uses, on a connection that cannot write. */
  readonly live: ReadDatabase
}

/** Outcome of a check of a copy. With `ok` and a remedy, the backup is good and a restore needs one more step. */
export interface CopyResult {
  readonly ok: boolean
  readonly detail: string
  readonly remedy?: string
}

export interface CopyCheck {
  readonly name: string
  /** Advice for when the check throws. */
  readonly remedy: string
  run(): Promise<CopyResult>
}

const row = v.object({ id: v.string(), state: v.string(), scope: v.string() })
export type ValidRow = v.InferOutput<typeof row>

const PAGE = 1_000
const MAX_LISTED = 10

async function select(db: ReadDatabase, statement: SQL): Promise<readonly ValidRow[]> {
  return v.parse(v.array(row), await db.execute(statement))
}

/**
 * Returns rows that are valid in one database, and are not, or have another state, in the other.
 * @param valid selects `id`, which is a primary key, `state` and `scope`
 */
export async function findOnlyIn(one: ReadDatabase, other: ReadDatabase, valid: SQL): Promise<readonly ValidRow[]> {
  const different: ValidRow[] = []
  for (let after = ''; ; ) {
    const page = await select(one, sql`select * from (${valid}) as valid where id > ${after} order by id limit ${PAGE}`)
    if (page.length === 0) return different
    const ids = page.map(({ id }) => id)
    const others = await select(other, sql`select * from (${valid}) as valid where ${inArray(sql`id`, ids)}`)
    const states = new Map(others.map(({ id, state }) => [id, state]))
    different.push(...page.filter(({ id, state }) => states.get(id) !== state))
    after = ids.at(-1) ?? ''
  }
}

export function count(number: number, [one, many]: readonly [string, string]): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Lists the first rows, for the operator to act on. */
export function listRows(rows: readonly ValidRow[]): string {
  const listed = rows.slice(0, MAX_LISTED).map(({ scope, id }) => (scope === '' ? id : `${scope} ${id}`))
  const more = rows.length > MAX_LISTED ? `, and ${rows.length - MAX_LISTED} more` : ''
  return listed.join(', ') + more
}

export interface Revocable {
  /** For example `sessions`. */
  readonly name: string
  /** For example `['session', 'sessions']`. */
  readonly what: readonly [string, string]
  /** For example `ended`. */
  readonly ended: string
  readonly valid: SQL
  /** Steps for the operator after a restore. */
  readonly remedy: string
}

const READ_REMEDY = 'Let this role read every table of both databases, and run this again.'

/** Returns a check that reports what ended since the backup and would be valid again. */
export function checkRevocable({ copy, live }: Databases, { name, what, ended, valid, remedy }: Revocable): CopyCheck {
  return {
    name,
    remedy: READ_REMEDY,
    async run() {
      const rows = await findOnlyIn(copy, live, valid)
      if (rows.length === 0)
        return { ok: true, detail: `No ${what[0]} ${ended} since the backup would be valid again.` }
      const detail = `${count(rows.length, what)} ${ended} since the backup would be valid again: ${listRows(rows)}.`
      return { ok: true, detail, remedy }
    },
  }
}

export interface Created {
  readonly what: readonly [string, string]
  readonly all: SQL
  readonly remedy: string
}

/** Returns a check that reports what was made since the backup, and would be lost. */
export function checkCreated({ copy, live }: Databases, { what, all, remedy }: Created): CopyCheck {
  return {
    name: 'newer',
    remedy: READ_REMEDY,
    async run() {
      const rows = await findOnlyIn(live, copy, all)
      if (rows.length === 0) return { ok: true, detail: `No ${what[0]} was made since the backup.` }
      const detail = `${count(rows.length, what)} made since the backup would be lost: ${listRows(rows)}.`
      return { ok: true, detail, remedy }
    },
  }
}

export interface Sealed {
  readonly id: string
  open(): unknown
}

export const SAMPLE = 500

/** Returns a check that opens sealed values. @param read returns a random sample of at most `SAMPLE` for each kind */
export function checkSealed(what: readonly [string, string], read: () => Promise<readonly Sealed[]>): CopyCheck {
  return {
    name: 'secrets',
    remedy:
      'Use the keys of the time of the backup. If they do not open it either, keep an older backup and make a new one.',
    async run() {
      const failed: string[] = []
      const values = await read()
      for (const { id, open } of values) {
        try {
          await open()
        } catch {
          failed.push(id)
        }
      }
      if (failed.length > 0)
        throw new Error(
          `${failed.length} of ${count(values.length, what)} cannot be opened: ${failed.slice(0, MAX_LISTED).join(', ')}.`,
        )
      return { ok: true, detail: `${count(values.length, what)} opened.` }
    },
  }
}
