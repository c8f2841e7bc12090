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
