/** Restores a backup into a database beside the real one, which it never touches. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Server, useServer } from '@keybay/sandbox-service/server'
import { Finding } from '../doctor/check.js'

const run = promisify(execFile)

const SUFFIX = '_restore_drill'
/** Longest name of a database in PostgreSQL. */
const MAX_NAME = 63

export interface Copy {
  readonly url: string
  readonly name: string
}

function getText(error: unknown, name: 'stderr' | 'code'): string {
  if (!(error instanceof Error) || !(name in error)) return ''
  return String(Object.getOwnPropertyDescriptor(error, name)?.value ?? '')
}

async function create({ query, name: live, user }: Server, name: string): Promise<void> {
  const [row] = await query(
    `select format('create database %I template template0 encoding %L lc_collate %L lc_ctype %L', $1::text,
      pg_encoding_to_char(encoding), datcollate, datctype) as text from pg_database where datname = $2`,
    [name, live],
  )
  await query(row?.text ?? '', []).catch((error: unknown) => {
    const code = getText(error, 'code')
    if (code === '42P04')
      throw new Finding(
        `A database "${name}" exists already, so nothing was restored.`,
        `If another drill is running, wait for it. If one was killed, remove its copy: drop database "${name}"`,
      )
    if (code === '42501')
      throw new Finding(`The role ${user} may not create a database.`, `Allow it: alter role "${user}" createdb`)
    throw error
  })
}

/** Returns the last lines of an error, which say what is wrong. */
function getReason(error: unknown): string {
  const lines = getText(error, 'stderr').trim().split('\n').slice(-3).join(' ')
  return lines === '' ? String(error) : lines
}

async function restore({ env }: Server, name: string, path: string): Promise<void> {
  try {
    const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--no-password', '--dbname', name, path]
    await run('pg_restore', args, { env: { ...process.env, ...env, PGDATABASE: name } })
  } catch (error) {
    if (getText(error, 'code') === 'ENOENT')
      throw new Finding(
        'pg_restore is not installed.',
        'Install PostgreSQL’s client programs, of the version of the server or later.',
      )
    throw new Finding(
      `The backup cannot be restored: ${getReason(error)}`,
      'Do not rely on this backup. Keep the one before it, make a new one, and run this again.',
    )
  }
}

async function drop({ query }: Server, name: string): Promise<void> {
  const statement = `drop database "${name.replaceAll('"', '""')}" with (force)`
  await query(statement, []).catch((error: unknown) => {
    throw new Finding(`The copy could not be dropped: ${String(error)}`, `Drop it: ${statement}`)
  })
}

/**
 * Restores a backup into a new database, runs work on it, and drops it.
 * @param url address of the real database, whose server and role are used
 * @throws Finding, or the driver's Error when the server does not answer
 */
export function withCopy<T>(url: string, path: string, work: (copy: Copy) => Promise<T>): Promise<T> {
  return useServer(url, async server => {
    const name = server.name.slice(0, MAX_NAME - SUFFIX.length) + SUFFIX
    await create(server, name)
    try {
      await restore(server, name, path)
      return await work({ name, url: server.getUrl(name) })
    } finally {
      await drop(server, name)
    }
  })
}
