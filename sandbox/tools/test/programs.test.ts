/** Tests that need a program fail without it, and are never skipped. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { POSTGRES, PROMTOOL, PYTHON, requireProgram } from '../src/programs.mjs'
import { root } from '../src/repo.mjs'
import { trackedFiles } from '../src/snippets.mjs'

const ABSENT = { name: 'Acme', packages: ['acme', 'acme-tools'], find: () => undefined }

it('requires a program with a message that says how to install it', () => {
  expect(() => requireProgram(ABSENT)).toThrow(
    'These tests need Acme. As root on Debian, npm test installs it; elsewhere install it: sudo apt-get install acme acme-tools',
  )
  expect(requireProgram({ ...ABSENT, find: () => '/usr/bin/acme' })).toBe('/usr/bin/acme')
})

it('finds PostgreSQL, Python and promtool, which npm test installed', () => {
  expect(spawnSync(join(requireProgram(POSTGRES), 'initdb'), ['--version']).status).toBe(0)
  expect(spawnSync(requireProgram(PYTHON), ['--version']).status).toBe(0)
  expect(spawnSync(requireProgram(PROMTOOL), ['--version']).status).toBe(0)
})

describe('test files', () => {
  const files = trackedFiles().filter(file => /\/(test|testing|conformance)\/.*\.tsx?$/.test(file))
  it('no test is skipped, focused or to do, except the cases of the connector suite that are not applicable', () => {
    const pattern = /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|skipIf|runIf|only|todo)\(/
    const found = files.filter(file => pattern.test(readFileSync(join(root, file), 'utf8')))
    expect(found).toEqual(['kernel/src/testing/conformance.ts', 'sandbox/testing/conformance/program.test.ts'])
  })
})
