/** Locking a folder for one process at a time, tested with processes that are killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from '../src/files.js'
import { aloneIn, lockFolder } from '../src/lock.js'
import { temporaryFolder } from './temporary-folder.js'

let folder: string
let children: ChildProcess[] = []
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})

const holder = fileURLToPath(new URL('holder.mjs', import.meta.url))

async function start(platform: NodeJS.Platform): Promise<ChildProcess> {
  const child = fork(holder, [folder, platform])
  children.push(child)
  await once(child, 'message')
  return child
}

// Linux has sockets without a file; a file-based socket remains when its process is killed.
describe.each<NodeJS.Platform>([process.platform, 'darwin'])('a folder, as on %s', platform => {
  it('a locked folder names its process to the next process, and is free as soon as the first process is dead', async () => {
    for (let round = 0; round < 3; round++) {
      const child = await start(platform)
      await expect(lockFolder(folder, platform)).rejects.toThrow(
        `the folder ${folder} is in use by process ${child.pid}: stop that one first, or set KEYBAY_DATA_DIR`,
      )
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const unlock = await lockFolder(folder, platform)
    unlock()
  })

  it('only one of many concurrent starts locks the folder', async () => {
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder, platform)))
    const [unlock, ...more] = taken.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    expect(more).toEqual([])
    unlock?.()
    ;(await lockFolder(folder, platform))()
  })
})

it('a folder lock also covers other paths of the folder, and leaves a neighboring folder free', async () => {
  const unlock = await lockFolder(join(folder, 'a', 'db'))
  symlinkSync(join(folder, 'a'), join(folder, 'b'))
  await expect(lockFolder(join(folder, 'b', 'db'))).rejects.toThrow(`is in use by process ${process.pid}`)
  ;(await lockFolder(join(folder, 'a')))()
  unlock()
})

it('releases the folder lock when the service in the folder stops or cannot start', async () => {
  const service = { name: 'one', stop: () => Promise.resolve() }
  const first = await aloneIn(folder, async () => service)
  expect(first.name).toBe('one')
  await expect(aloneIn(folder, async () => service)).rejects.toThrow('is in use by process')
  await first.stop()
  await expect(aloneIn(folder, () => Promise.reject(new Error('no port')))).rejects.toThrow('no port')
  await (await aloneIn(folder, async () => service)).stop()
})

describe('making a folder', () => {
  it('reports at once which folder cannot be created and which variable to set', () => {
    writeFileSync(join(folder, 'file'), '')
    for (const wrong of [join(folder, 'file'), ...(existsSync('/proc') ? ['/proc/keybay'] : [])])
      expect(() => makeFolder(join(wrong, 'custody', 'db'))).toThrow(
        new RegExp(
          `^the folder ${wrong}.* cannot be made \\(E\\w+\\): set KEYBAY_DATA_DIR to one that this user may write to$`,
        ),
      )
  })
})
