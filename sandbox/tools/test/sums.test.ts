import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { add, failureText, line, nothing, readSum, sumReport, type VitestReport } from '../src/sums.mjs'

function report(parts: Partial<VitestReport>): VitestReport {
  return {
    success: true,
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { name: '/one/test/a.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'a' }] },
    ],
    ...parts,
  }
}

it('adds up passed, failed and skipped tests', () => {
  const failing = { success: false, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 }
  const one = sumReport(report({ ...failing, numPassedTests: 5 }), 'one')
  const two = sumReport(report({ success: false, numPassedTests: 2, numFailedTests: 3 }), 'two')
  expect(line(add(one, two))).toBe('7 passed, 4 failed, 2 skipped')
})

it('counts a case that is not applicable as neither passed nor skipped, and a skipped test as a failure that names it', () => {
  const name = 'a wallet not applicable (it has no prompt): refuses'
  const assertionResults = [
    { status: 'skipped', fullName: name },
    { status: 'skipped', fullName: 'a wallet signs' },
    { status: 'passed', fullName: name },
  ]
  const testResults = [{ name: '/one/test/a.test.ts', status: 'passed', assertionResults }]
  const sum = sumReport(report({ numPassedTests: 1, numPendingTests: 2, testResults }), 'one')
  expect(line(sum)).toBe('1 passed, 1 failed, 1 skipped, 1 not applicable')
  expect(sum.problems).toEqual(['one: skipped a wallet signs'])
})

it('counts a test file that could not be loaded as a failure', () => {
  const testResults = [
    { name: '/one/test/b.test.ts', status: 'failed', message: 'No module c\nat d', assertionResults: [] },
  ]
  const sum = sumReport(report({ success: false, numPassedTests: 1, testResults }), 'one')
  expect(line(sum)).toBe('1 passed, 1 failed')
  expect(sum.failures).toEqual(['one: b.test.ts: No module c\n    at d'])
})

/** Builds a report of one failed test. */
function failedWith(...failureMessages: string[]) {
  const failed = { status: 'failed', fullName: 'a wallet signs', failureMessages }
  const testResults = [
    { name: '/one/test/b.test.ts', status: 'failed', assertionResults: [failed, { status: 'passed', fullName: 'f' }] },
  ]
  return sumReport(report({ success: false, numPassedTests: 1, numFailedTests: 1, testResults }), 'one')
}

it('lists each failed test with its whole message, including tables, without stack lines of libraries', () => {
  const table = '| step | who |\n| 1 | R1 |'
  const stack = '    at test/b.test.ts:1:2\n    at node_modules/c/index.js:3:4\n    at process (node:internal:5:6)'
  const sum = add(
    failedWith(`\u001b[31mexpected\u001b[39m 1 to be 2\n${table}\n${stack}`, 'and the pages said: no'),
    nothing,
  )
  expect(failureText(sum)).toBe(
    [
      '\n✗ one: b.test.ts > a wallet signs: expected 1 to be 2',
      '| step | who |',
      '| 1 | R1 |',
      '    at test/b.test.ts:1:2',
      'and the pages said: no\n',
    ].join('\n    '),
  )
  expect(failureText(nothing)).toBe('')
})

it('cuts a long failure message, and says how many lines it left out', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  const said = failureText(failedWith(lines.join('\n')))
  expect(said).toContain('line 29\n    … 10 more lines\n')
  expect(said).not.toContain('line 30')
})

it('counts a run that failed outside of its tests as a failure', () => {
  const sum = sumReport(report({ success: false, numPassedTests: 4 }), 'one')
  expect(line(sum)).toBe('4 passed, 1 failed')
  expect(sum.problems).toEqual(['one: the run failed outside of its tests'])
})

it('counts a missing report and an unreadable report as failures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-'))
  const path = join(folder, 'vitest.json')
  expect(readSum(path, 'kernel')).toMatchObject({ failed: 1, problems: ['kernel: no report; the run did not finish'] })
  writeFileSync(path, '{"numPassedTests": 3')
  expect(readSum(path, 'kernel')).toMatchObject({ failed: 1, problems: [expect.stringContaining('unreadable report')] })
  rmSync(folder, { recursive: true })
})

it('a run without tests is not a success', () => expect(line(nothing)).toBe('0 passed, 1 failed'))
