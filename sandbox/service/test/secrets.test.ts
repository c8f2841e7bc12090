import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { type RotationSteps, readOrWrite, rotateKeks } from '../src/secrets.js'
import { temporaryFolder } from './temporary-folder.js'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

it('writes a secret once, readable only by this user, and leaves no other file in the folder', () => {
  const file = join(folder, 'made', 'kek')
  expect(readOrWrite(file, () => 'first')).toBe('first')
  expect(readOrWrite(file, () => 'second')).toBe('first')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'made'))).toEqual(['kek'])
})

it('two processes that start at once get the secret that one of the processes wrote', () => {
  const file = join(folder, 'kek')
  const secret = readOrWrite(file, () => {
    // The other process writes between this one's check and its write.
    writeFileSync(file, 'theirs')
    return 'ours'
  })
  expect(secret).toBe('theirs')
  expect(readFileSync(file, 'utf8')).toBe('theirs')
  expect(readdirSync(folder)).toEqual(['kek'])
})

it('keeps both keys in the file until all secrets use the new key, and continues an interrupted rotation', async () => {
  const file = join(folder, 'kek')
  const source = { service: 'demo', variable: 'DEMO_KEK', file }
  const old = readOrWrite(file, () => Buffer.alloc(32, 1).toString('base64url'))
  await expect(rotateKeks(source, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed')
  const [fresh, ...rest] = readFileSync(file, 'utf8').split(',')
  expect(rest).toEqual([old])
  const words = await rotateKeks(source, async keks => {
    expect(keks.map(kek => Buffer.from(kek).toString('base64url'))).toEqual([fresh, old])
    return 3
  })
  expect(words).toBe('3 secrets are under the new key.')
  expect(readFileSync(file, 'utf8')).toBe(fresh)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['kek'])
})

it.each(['register', 'begin', 'end'] as const)(
  'a rotation killed at the step "%s" leaves keys that the database knows, and the next run ends with the same new key',
  async step => {
    const file = join(folder, 'kek')
    const source = { service: 'demo', variable: 'DEMO_KEK', file }
    const old = readOrWrite(file, () => Buffer.alloc(32, 1).toString('base64url'))
    const word = (kek: Uint8Array | undefined) => Buffer.from(kek ?? []).toString('base64url')
    const registered = new Set([old])
    let next = ''
    const steps = (killed: string): RotationSteps => ({
      async register(kek) {
        next ||= word(kek)
        expect(word(kek)).toBe(next)
        // The file gets the key only after the database knows it.
        expect(readFileSync(file, 'utf8')).toBe(old)
        if (killed === 'register') throw new Error('killed')
        registered.add(next)
      },
      async begin(keks) {
        expect(keks.map(word)).toEqual([next, old])
        if (killed === 'begin') throw new Error('killed')
      },
      async end() {
        if (killed === 'end') throw new Error('killed')
        registered.delete(old)
      },
    })
    await expect(rotateKeks(source, async () => 1, steps(step))).rejects.toThrow('killed')
    const [first = ''] = readFileSync(file, 'utf8').split(',')
    expect(registered).toContain(first)
    await rotateKeks(source, async () => 1, steps('nothing'))
    expect(readFileSync(file, 'utf8')).toBe(next)
    expect([...registered]).toEqual([next])
    expect(readdirSync(folder)).toEqual(['kek'])
  },
)
