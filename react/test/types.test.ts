import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

// Compiled alone: what this host registers must not reach the other tests. It reads what is built.
it('every hook is typed by the plugins that the host registers', async () => {
  const compiler = path('../../node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '-p', path('register'), '--pretty', 'false'])
  expect(await run.catch(({ stdout }) => ({ stdout, stderr: '' }))).toEqual({ stdout: '', stderr: '' })
}, 60_000)
