/** Files that are written once: secrets that a first start makes and keeps. */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.js'

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * What a file holds; the first start writes it, readable by this user alone. It is there whole or not at all, and of two
 * that start at once both get what one of them wrote.
 */
export function readOrWrite(file: string, make: () => string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
    makeFolder(dirname(file))
    const draft = `${file}.${randomBytes(8).toString('hex')}`
    writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' })
    try {
      linkSync(draft, file)
    } catch (taken) {
      if (!isCode(taken, 'EEXIST')) throw taken
    } finally {
      rmSync(draft)
    }
    return readFileSync(file, 'utf8')
  }
}
