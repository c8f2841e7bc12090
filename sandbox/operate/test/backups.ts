/** Backups of databases, and results of drills, for tests. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { POSTGRES, requireProgram } from '@keybay/sandbox-tools/programs'
import postgres from 'postgres'
import type { Result } from '../src/doctor/check.js'

const bin = requireProgram(POSTGRES)
const [PG_DUMP, PG_RESTORE] = [join(bin, 'pg_dump'), join(bin, 'pg_restore')]

export function dump(url: string, path: string, format: 'custom' | 'directory' = 'custom'): string {
  execFileSync(PG_DUMP, ['--format', format, '--file', path, url], { stdio: 'pipe' })
  return path
}

/** Restores a backup as an operator does. @param url address of an empty database */
export function restore(url: string, path: string): string {
  execFileSync(PG_RESTORE, ['--no-owner', '--exit-on-error', '--dbname', url, path], { stdio: 'pipe' })
  return url
}

/** Returns the texts of the results by their checks; a failed one begins with FAIL. */
export function readTexts(results: readonly Result[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    results.map(({ check, ok, detail, remedy }) => [
      check,
      `${ok ? '' : 'FAIL '}${detail}${remedy ? ` → ${remedy}` : ''}`,
    ]),
  )
}

export async function query(url: string, statement: string): Promise<readonly postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

/** Returns everything in a database as text; newer versions of pg_dump put a random word around it. */
export function getContent(url: string): string {
  const content = execFileSync(PG_DUMP, [url], { stdio: 'pipe' }).toString()
  return content.replace(/^\\(un)?restrict .*$/gm, '')
}
