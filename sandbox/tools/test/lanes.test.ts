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

it('runs one job in front and two behind it, and a lane without jobs takes the last job of the other list', async () => {
  const log: string[] = []
  const gates = new Map<string, () => void>()
  const job = (name: string) => () =>
    new Promise<string>(resolve => {
      log.push(name)
      gates.set(name, () => resolve(name))
    })
  const running = inLanes([job('a'), job('b'), job('c')], [job('w'), job('x'), job('y'), job('z')])
  expect(log).toEqual(['a', 'w', 'x'])
  const finish = async (name: string) => {
    gates.get(name)?.()
    await new Promise(setImmediate)
  }
  await finish('x')
  await finish('w')
  expect(log).toEqual(['a', 'w', 'x', 'y', 'z'])
  await finish('y')
  expect(log.at(-1)).toBe('c')
  await finish('a')
  expect(log.at(-1)).toBe('b')
  for (const name of ['b', 'c', 'z']) await finish(name)
  expect((await running).sort()).toEqual(['a', 'b', 'c', 'w', 'x', 'y', 'z'])
})
