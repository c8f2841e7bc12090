import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readOrWrite } from '../src/secrets.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keybay-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('writes a secret once, for this user alone, and leaves nothing beside it', () => {
  const file = join(folder, 'made', 'kek')
  expect(readOrWrite(file, () => 'first')).toBe('first')
  expect(readOrWrite(file, () => 'second')).toBe('first')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'made'))).toEqual(['kek'])
})

it('gives two that start at once the secret that one of them wrote', () => {
  const file = join(folder, 'kek')
  const mine = readOrWrite(file, () => {
    // The other one, between our look and our write.
    writeFileSync(file, 'theirs')
    return 'ours'
  })
  expect(mine).toBe('theirs')
  expect(readFileSync(file, 'utf8')).toBe('theirs')
  expect(readdirSync(folder)).toEqual(['kek'])
})
