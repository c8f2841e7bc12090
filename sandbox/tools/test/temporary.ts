/** Gives each test a temporary folder, for example of another repository. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

interface Temporary {
  readonly path: string
  write(file: string, content: string | object): void
}

/** Call once in a file or a group of tests. */
export function useTemporaryFolder(): Temporary {
  let path = ''
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'keybay-'))
  })
  afterEach(() => rmSync(path, { recursive: true, force: true }))
  return {
    get path() {
      return path
    },
    write(file, content) {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), typeof content === 'string' ? content : JSON.stringify(content))
    },
  }
}
