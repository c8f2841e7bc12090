import { expect, it } from 'vitest'
import { inLanes, splitIntoJobs } from '../src/lanes.mjs'
import { packages } from '../src/repo.mjs'

it('runs every test task of every package once', () => {
  const all = packages().filter(({ manifest }) => manifest.scripts?.test)
  const { front, back } = splitIntoJobs(all)
  const ran = [...front, ...back].flatMap(({ task, packages }) => packages.map(({ name }) => `${name}#${task}`))
  const declared = all.flatMap(({ name, manifest }) =>
    Object.keys(manifest.scripts ?? {})
      .filter(script => /^test(:|$)/.test(script))
      .map(script => `${name}#${script}`),
  )
  expect(ran.sort()).toEqual(declared.sort())
})

it('runs two jobs in front and one behind them, and a lane without jobs takes the last job of the other list', async () => {
  const log: string[] = []
  const gates = new Map<string, () => void>()
  const job = (name: string) => () =>
    new Promise<string>(resolve => {
      log.push(name)
      gates.set(name, () => resolve(name))
    })
  const running = inLanes([job('a'), job('b'), job('c'), job('d')], [job('x'), job('y'), job('z')])
  expect(log).toEqual(['a', 'b', 'x'])
  const finish = async (name: string) => {
    gates.get(name)?.()
    await new Promise(setImmediate)
  }
  await finish('x')
  await finish('b')
  expect(log).toEqual(['a', 'b', 'x', 'y', 'c'])
  await finish('c')
  expect(log.at(-1)).toBe('d')
  await finish('a')
  expect(log.at(-1)).toBe('z')
  for (const name of ['d', 'y', 'z']) await finish(name)
  expect((await running).sort()).toEqual(['a', 'b', 'c', 'd', 'x', 'y', 'z'])
})
