/** Finds the backup that an operator names. */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Finding } from '../doctor/check.js'

/** First bytes of a file of `pg_dump --format=custom`. */
const MAGIC = 'PGDMP'
const REMEDY = 'Make backups with "pg_dump --format=custom" or "--format=directory", in a folder with nothing else.'

export interface Backup {
  readonly path: string
  /** ms since epoch, by the clock of the machine that wrote it. */
  readonly writtenAt: number
}

function isDirectoryDump(path: string): boolean {
  return existsSync(join(path, 'toc.dat'))
}

function isDump(path: string): boolean {
  const stat = statSync(path)
  if (stat.isDirectory()) return isDirectoryDump(path)
  // Reading a pipe would wait for its writer.
  if (!stat.isFile()) return false
  const head = Buffer.alloc(MAGIC.length)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  return head.toString('latin1') === MAGIC
}

function describe(path: string): Backup {
  return { path, writtenAt: statSync(isDirectoryDump(path) ? join(path, 'toc.dat') : path).mtimeMs }
}

function findNewest(folder: string): Backup | undefined {
  const names = readdirSync(folder).filter(name => !name.startsWith('.'))
  return names.map(name => describe(join(folder, name))).sort((a, b) => b.writtenAt - a.writtenAt)[0]
}

/**
 * Returns the backup at a path, or the newest one in a folder. The newest file counts although it is no dump: then
 * the last backup failed.
 * @throws Finding
 */
export function findBackup(given: string): Backup {
  const path = resolve(given)
  if (!existsSync(path)) throw new Finding(`${path} does not exist.`, 'Name a file or folder with --backup.')
  const isFolder = statSync(path).isDirectory() && !isDirectoryDump(path)
  const backup = isFolder ? findNewest(path) : describe(path)
  if (!backup) throw new Finding(`${path} has no backup.`, REMEDY)
  if (!isDump(backup.path)) throw new Finding(`${backup.path} is not a backup that pg_restore reads.`, REMEDY)
  return backup
}

const HOUR_MS = 3_600_000

export function describeBackup({ path, writtenAt }: Backup): string {
  const hours = Math.round((Date.now() - writtenAt) / HOUR_MS)
  return `${path}, written at ${new Date(writtenAt).toISOString()}, ${hours} h ago.`
}
