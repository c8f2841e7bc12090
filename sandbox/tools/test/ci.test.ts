/** Runs `.ci/run` with a fake npm. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { run } from '../src/command.mjs'
import { root } from '../src/repo.mjs'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'keybay-'))
  mkdirSync(join(base, 'bin'))
  cpSync(join(root, '.ci'), join(base, '.ci'), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

it.each([
  ['all passed', 'echo "12 passed, 0 failed"', 0, '12 passed, 0 failed'],
  ['some were skipped', 'echo "12 passed, 0 failed, 1 skipped"', 0, '12 passed, 0 failed, 1 skipped'],
  [
    'npm adds lines after a failure',
    'echo "11 passed, 1 failed"; echo "npm error code 1" >&2; exit 1',
    1,
    '11 passed, 1 failed',
  ],
  ['the run crashed', 'echo "Killed" >&2; exit 137', 137, '0 passed, 1 failed'],
  ['it claims success and says nothing', 'true', 1, '0 passed, 1 failed'],
])('the CI script ends with the summary line and the exit code when %s', async (_, script, code, last) => {
  const npm = join(base, 'bin/npm')
  writeFileSync(npm, `#!/bin/sh\n[ "$1" = test ] || exit 9\n${script}\n`)
  chmodSync(npm, 0o755)
  const env = { ...process.env, PATH: `${join(base, 'bin')}:${process.env.PATH}` }
  const result = await run(join(base, '.ci/run'), [], { cwd: base, env, show: false })
  expect(result.code).toBe(code)
  expect(result.output.trimEnd().split('\n').at(-1)).toBe(last)
})
