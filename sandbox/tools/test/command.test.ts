import { constants, getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { run } from '../src/command.mjs'

/** Reports the priority of a program that another program started. */
const script = `require('node:child_process').execFileSync(process.execPath, ['-p', 'os.getPriority()'], { stdio: 'inherit' })`

it.each([
  ['as it is here', false, getPriority()],
  ['behind all others', true, constants.priority.PRIORITY_BELOW_NORMAL],
])('runs a program, including its child processes, %s', async (_, background, priority) => {
  const { code, output } = await run(process.execPath, ['-e', script], { background, show: false })
  expect([code, Number(output)]).toEqual([0, Math.max(priority, getPriority())])
})

it('a program that cannot start counts as a failure', async () => {
  expect(await run('no-such-program', [], { background: true, show: false })).toMatchObject({
    code: 1,
    output: expect.stringContaining('ENOENT'),
  })
})
