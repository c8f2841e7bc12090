/** Tests the steps of a key file's rotation where they are killed, repeated or taken too early. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { type KekFileRotation, rotateKekFile } from '../src/key-file-rotation.js'
import type { KeyRegistry, KeyState } from '../src/key-registry.js'
import { getFingerprint } from '../src/key-source.js'
import { temporaryFolder } from './temporary-folder.js'

const OLD = Buffer.alloc(32, 1).toString('base64url')

let file: string
let states: Map<string, KeyState>
beforeEach(() => {
  file = join(temporaryFolder(), 'kek')
  writeFileSync(file, `${OLD}\n`, { mode: 0o600 })
  states = new Map([[fingerprintOf(OLD), 'used']])
})

function fingerprintOf(key: string): string {
  return getFingerprint('demo/kek', Buffer.from(key, 'base64url'))
}

const registry: KeyRegistry = {
  states: async () => new Map(states),
  set: async (_, fingerprint, state) => void states.set(fingerprint, state),
  remove: async (_, fingerprint) => void states.delete(fingerprint),
}

function rotate(isRestarted: boolean, more: Partial<KekFileRotation> = {}): Promise<string> {
  const rotation = { service: 'demo', variable: 'DEMO_KEK', file, isRestarted, rewrapAll: async () => 0 }
  return rotateKekFile({ ...rotation, locked: work => work(registry), ...more })
}

function readKeys(): readonly string[] {
  return readFileSync(file, 'utf8').trim().split(',')
}

/** An instance that starts uses its first key. */
function restart(): void {
  states.set(fingerprintOf(readKeys()[0] ?? ''), 'used')
}

it('a key file that was killed between the registration and the write gets the same new key in the next run', async () => {
  const killed = { set: () => Promise.reject(new Error('killed')) }
  await expect(rotate(false, { locked: work => work({ ...registry, ...killed }) })).rejects.toThrow('killed')
  expect(readKeys()).toEqual([OLD])
  const draft = readFileSync(`${file}.next`, 'utf8')
  await rotate(false)
  expect(readKeys()).toEqual([OLD, draft])
  expect(states.get(fingerprintOf(draft))).toBe('next')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.next`)).toBe(false)
})

it('a step without --restarted changes nothing in a rotation that has begun', async () => {
  await rotate(false)
  const before = readKeys()
  expect(await rotate(false)).toMatch(/^A rotation has begun: the new key is behind the old one/)
  expect(readKeys()).toEqual(before)
  await rotate(true)
  restart()
  expect(await rotate(false)).toMatch(/the new key is in front of the old one/)
  expect(readKeys()).toEqual(before.toReversed())
})

it('secrets that an instance still seals under the old key stop the last step, which keeps both keys', async () => {
  await rotate(false)
  await rotate(true)
  restart()
  await expect(rotate(true, { rewrapAll: async () => 1 })).rejects.toThrow(/an instance still has it in front/)
  expect(readKeys()).toHaveLength(2)
  expect(states.get(fingerprintOf(OLD))).toBe('retiring')
  expect(await rotate(true)).toMatch(/^Step 3 of 3/)
  expect([...states.keys()]).toEqual(readKeys().map(fingerprintOf))
})

it('a last step that was killed after the database forgot the old key ends in the next run, and keeps the old key beside', async () => {
  await rotate(false)
  await rotate(true)
  restart()
  const remove = async (_: string, fingerprint: string) => {
    states.delete(fingerprint)
    throw new Error('killed')
  }
  await expect(rotate(true, { locked: work => work({ ...registry, remove }) })).rejects.toThrow('killed')
  expect(readKeys()).toHaveLength(2)
  await rotate(true)
  expect(readKeys()).toHaveLength(1)
  const [retired = ''] = readdirSync(join(file, '..')).filter(name => name.startsWith('kek.retired-'))
  expect(readFileSync(join(file, '..', retired), 'utf8')).toBe(OLD)
  expect(statSync(join(file, '..', retired)).mode & 0o777).toBe(0o600)
})

it('refuses a missing file, keys that the database does not know, and more than two, without quoting a key', async () => {
  states.clear()
  await expect(rotate(false)).rejects.toThrow('The database of demo knows no key yet. Start the service once.')
  states.set(fingerprintOf(Buffer.alloc(32, 9).toString('base64url')), 'used')
  const unknown = await rotate(false).catch(error => error.message)
  expect(unknown).toMatch(/is not the one that is in use/)
  expect(unknown).not.toContain(OLD)
  restart()
  writeFileSync(file, [OLD, OLD, OLD].join(','))
  await expect(rotate(false)).rejects.toThrow(/more than two keys/)
  rmSync(file)
  await expect(rotate(false)).rejects.toThrow(/does not exist\. Make the keys of demo with "keygen"/)
})
