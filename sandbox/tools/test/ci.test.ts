/** Runs `.ci/run` with a fake npm. */
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../src/command.mjs'
import { root } from '../src/repo.mjs'
import { useTemporaryFolder } from './temporary.js'

const base = useTemporaryFolder()

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
  cpSync(join(root, '.ci'), join(base.path, '.ci'), { recursive: true })
  base.write('bin/npm', `#!/bin/sh\n[ "$1" = test ] || exit 9\n${script}\n`)
  chmodSync(join(base.path, 'bin/npm'), 0o755)
  const env = { ...process.env, PATH: `${join(base.path, 'bin')}:${process.env.PATH}` }
  const result = await run(join(base.path, '.ci/run'), [], { cwd: base.path, env, show: false })
  expect(result.code).toBe(code)
  expect(result.output.trimEnd().split('\n').at(-1)).toBe(last)
})
