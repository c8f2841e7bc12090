/** Write-once files: secrets that a first start generates and stores. */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.js'

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * Returns the content of a file; the first start writes it, readable by this user only. The write is atomic, and of two
 * concurrent starts both get the content that one of them wrote.
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
