import { expect, it } from 'vitest'
import environment, { atEndOfRun } from '../src/end-of-run.mjs'

it('ends the resources that test files share when the run ends, last first, each once', async () => {
  const ended: string[] = []
  const { teardown } = await environment.setup(globalThis, {})
  atEndOfRun(() => {
    ended.push('services')
  })
  atEndOfRun(async () => {
    await Promise.resolve()
    ended.push('browser')
  })
  await teardown(globalThis)
  await teardown(globalThis)
  expect(ended).toEqual(['browser', 'services'])
})
