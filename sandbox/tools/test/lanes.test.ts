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

it('runs one job of each lane at a time, and the lane that ends first takes the last job of the other lane', async () => {
  const log: string[] = []
  const gates = new Map<string, () => void>()
  const job = (name: string) => () =>
    new Promise<string>(resolve => {
      log.push(name)
      gates.set(name, () => resolve(name))
    })
  const running = inLanes([job('a')], [job('x'), job('y'), job('z')])
  expect(log).toEqual(['a', 'x'])
  const finish = async (name: string) => {
    gates.get(name)?.()
    await new Promise(setImmediate)
  }
  await finish('a')
  expect(log).toEqual(['a', 'x', 'z'])
  await finish('x')
  expect(log).toEqual(['a', 'x', 'z', 'y'])
  await finish('z')
  await finish('y')
  expect((await running).sort()).toEqual(['a', 'x', 'y', 'z'])
})
