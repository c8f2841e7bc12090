/** Creates folders and files that only this user may read, and that are never half-written. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * Creates a folder and its parents, readable by this user only. Node's recursive mkdir does not return for a folder
 * that cannot have children, like `/proc`.
 * @throws Error that names the folder that cannot be created
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process just created it.
    if (isFolder(folder)) return
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      `the folder ${folder} cannot be made (${why}): set KEYBAY_DATA_DIR to one that this user may write to`,
    )
  }
}

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

/** Flushes a folder, so that a rename or removal in it survives a power failure. Windows cannot open a folder. */
export function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Writes a temporary file beside the original, then renames it: a half-written file would lose every secret. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
  flushFolder(dirname(file))
}
