/** What a second run of a failed file changes, and what it does not hide. */
import { expect, it } from 'vitest'
import { merged, passedNow } from '../src/second-try.mjs'
import { line, sumOf, type VitestFile, type VitestReport } from '../src/sums.mjs'

function file(name: string, tests: Readonly<Record<string, string>>, message?: string): VitestFile {
  return {
    name,
    status: Object.values(tests).includes('failed') || message ? 'failed' : 'passed',
    ...(message ? { message } : {}),
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status,
      failureMessages: status === 'failed' ? [`${fullName} broke`] : [],
    })),
  }
}

function report(success: boolean, ...testResults: VitestFile[]): VitestReport {
  return merged(
    { success, numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults },
    {
      success,
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [],
    },
  )
}

const first = report(
  false,
  file('/e2e/test/send.test.ts', { sends: 'passed', pays: 'failed', later: 'skipped' }),
  file('/e2e/test/sign.test.ts', { signs: 'passed' }),
)

it('counts the second run of a file in the place of its first, and names what passed by chance', () => {
  const second = report(true, file('/e2e/test/send.test.ts', { sends: 'passed', pays: 'passed', later: 'skipped' }))
  const now = merged(first, second)
  expect(line(sumOf(first, 'e2e'))).toBe('2 passed, 1 failed, 1 skipped')
  expect(line(sumOf(now, 'e2e'))).toBe('3 passed, 0 failed, 1 skipped')
  expect(passedNow(first, now, 'e2e')).toEqual(['e2e: send.test.ts > pays: pays broke'])
})

it('still fails what fails twice', () => {
  const second = report(false, file('/e2e/test/send.test.ts', { sends: 'failed', pays: 'failed', later: 'skipped' }))
  const now = merged(first, second)
  expect(sumOf(now, 'e2e').failed).toBe(2)
  expect(passedNow(first, now, 'e2e')).toEqual([])
})

it('keeps the first failure where the second run did not come to its end', () => {
  const now = merged(first, report(false))
  expect(sumOf(now, 'e2e').failed).toBe(1)
  expect(passedNow(first, now, 'e2e')).toEqual([])
})

it('loads a file that could not be loaded at first', () => {
  const broken = report(false, file('/e2e/test/send.test.ts', {}, 'No port is free'))
  const now = merged(broken, report(true, file('/e2e/test/send.test.ts', { sends: 'passed' })))
  expect(line(sumOf(now, 'e2e'))).toBe('1 passed, 0 failed')
  expect(passedNow(broken, now, 'e2e')).toEqual(['e2e: send.test.ts: No port is free'])
})

it('counts an error outside of the tests in the second run', () => {
  const second = report(false, file('/e2e/test/send.test.ts', { sends: 'passed', pays: 'passed' }))
  expect(sumOf(merged(first, second), 'e2e').problems).toEqual(['e2e: the run failed outside of its tests'])
})
