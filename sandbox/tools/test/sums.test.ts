import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { add, line, nothing, readSum, sumOf, type VitestReport } from '../src/sums.mjs'

const report = (parts: Partial<VitestReport>): VitestReport => ({
  success: true,
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [
    { name: '/one/test/a.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'a' }] },
  ],
  ...parts,
})

it('adds up what passed, failed and was skipped', () => {
  const one = sumOf(report({ numPassedTests: 5, numPendingTests: 1, numTodoTests: 1 }), 'one')
  const two = sumOf(report({ success: false, numPassedTests: 2, numFailedTests: 3 }), 'two')
  expect(line(add(one, two))).toBe('7 passed, 3 failed, 2 skipped')
})

it('counts a test file that could not be loaded', () => {
  const testResults = [
    { name: '/one/test/b.test.ts', status: 'failed', message: 'No module c\nat d', assertionResults: [] },
  ]
  const sum = sumOf(report({ success: false, numPassedTests: 1, testResults }), 'one')
  expect(line(sum)).toBe('1 passed, 1 failed')
  expect(sum.failures).toEqual(['one: b.test.ts: No module c'])
})

it('names each test that failed, and why, in one line', () => {
  const failed = { status: 'failed', fullName: 'a wallet signs', failureMessages: ['expected 1 to be 2\nat e'] }
  const testResults = [
    { name: '/one/test/b.test.ts', status: 'failed', assertionResults: [failed, { status: 'passed', fullName: 'f' }] },
  ]
  const sum = sumOf(report({ success: false, numPassedTests: 1, numFailedTests: 1, testResults }), 'one')
  expect(add(sum, nothing).failures).toEqual(['one: b.test.ts > a wallet signs: expected 1 to be 2'])
})

it('counts a run that failed outside of its tests', () => {
  const sum = sumOf(report({ success: false, numPassedTests: 4 }), 'one')
  expect(line(sum)).toBe('4 passed, 1 failed')
  expect(sum.problems).toEqual(['one: the run failed outside of its tests'])
})

it('counts a missing report and a broken one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-'))
  const path = join(folder, 'vitest.json')
  expect(readSum(path, 'kernel')).toMatchObject({ failed: 1, problems: ['kernel: no report; the run did not finish'] })
  writeFileSync(path, '{"numPassedTests": 3')
  expect(readSum(path, 'kernel')).toMatchObject({ failed: 1, problems: [expect.stringContaining('unreadable report')] })
  rmSync(folder, { recursive: true })
})

it('never lets no tests at all pass for success', () => expect(line(nothing)).toBe('0 passed, 1 failed'))
