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

it('runs one job of the front lane and two of the back lane; a lane that has ended takes the last job of the other', async () => {
  const log: string[] = []
  const gates = new Map<string, () => void>()
  const job = (name: string) => () =>
    new Promise<string>(resolve => {
      log.push(name)
      gates.set(name, () => resolve(name))
    })
  const running = inLanes([job('a'), job('b')], ['v', 'w', 'x', 'y', 'z'].map(job))
  expect(log).toEqual(['a', 'v', 'w'])
  const finish = async (name: string) => {
    gates.get(name)?.()
    await new Promise(setImmediate)
    return log.at(-1)
  }
  expect(await finish('v')).toBe('x')
  expect(await finish('a')).toBe('b')
  expect(await finish('b')).toBe('z')
  expect(await finish('w')).toBe('y')
  for (const name of ['x', 'y', 'z']) await finish(name)
  expect((await running).sort()).toEqual(['a', 'b', 'v', 'w', 'x', 'y', 'z'])
})
