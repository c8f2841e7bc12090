import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * Makes a folder, and those that it is in, for this user alone. Node's own way does not end where a folder can hold none,
 * like `/proc`.
 *
 * @throws Error that names the folder which cannot be made
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process made it just now.
    if (isFolder(folder)) return
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      `the folder ${folder} cannot be made (${why}): set KEYBAY_DATA_DIR to one that this user may write to`,
    )
  }
}
