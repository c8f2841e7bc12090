/** Adds up the reports that test runs write to each package's `.reports`. */
import { existsSync, readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} Counts
 * @typedef {Counts & { success: boolean, testResults: readonly VitestFile[] }} VitestReport What counts of vitest's report.
 *
 * @typedef {object} VitestFile
 * @property {string} name Its path.
 * @property {string} status
 * @property {string} [message] Why it could not be loaded.
 * @property {readonly { status: string, fullName: string, failureMessages?: readonly string[] | null }[]} assertionResults
 *
 * @typedef {object} Sum
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} notApplicable
 * @property {readonly string[]} failures Name and message of each failed test.
 * @property {readonly string[]} problems Each counts as one failure: a missing or broken report, a run that crashed.
 */

/** @type {Sum} */
export const nothing = { passed: 0, failed: 0, skipped: 0, notApplicable: 0, failures: [], problems: [] }

/** @param {string} problem @returns {Sum} */
export function problem(problem) {
  return { ...nothing, failed: 1, problems: [problem] }
}

/** Maximum number of lines to show per failure; a message may contain a table. */
const MAX_LINES = 30

/** @param {string} line of a stack trace */
function isInLibrary(line) {
  return /^\s+at (.*node_modules|.*\(?node:|new Promise \(<anonymous>\))/.test(line)
}

/** @param {readonly (string | null | undefined)[]} messages */
function formatMessages(messages) {
  const lines = messages
    .map(message => stripVTControlCharacters(message ?? '').trimEnd())
    .join('\n')
    .split('\n')
    .filter(line => !isInLibrary(line))
  const rest = lines.length - MAX_LINES
  return [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [`… ${rest} more lines`] : [])].join('\n    ')
}

/** @param {VitestFile} file @param {string} name @returns {string[]} */
function listFailures({ name: path, status, message, assertionResults }, name) {
  const where = `${name}: ${path.slice(path.lastIndexOf('/') + 1)}`
  if (status === 'failed' && assertionResults.length === 0) return [`${where}: ${formatMessages([message])}`]
  return assertionResults
    .filter(test => test.status === 'failed')
    .map(test => `${where} > ${test.fullName}: ${formatMessages(test.failureMessages ?? [])}`)
}

/**
 * True for a case that a shared suite lists for completeness, of something that its subject does not have: neither a
 * proof nor a skipped test. `connectorConformance` names these.
 * @param {{ status: string, fullName: string }} test
 */
export function isNotApplicable({ status, fullName }) {
  return status === 'skipped' && / not applicable \(.+\): /.test(fullName)
}

/** @param {VitestReport} report @param {string} name @returns {Sum} */
export function sumReport(report, name) {
  // A file that failed to load has no tests to count as failed.
  const broken = report.testResults.filter(
    file => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + broken
  const tests = report.testResults.flatMap(file => file.assertionResults)
  const notApplicable = tests.filter(isNotApplicable).length
  const sum = {
    ...nothing,
    passed: report.numPassedTests,
    failed,
    skipped: report.numPendingTests + report.numTodoTests - notApplicable,
    notApplicable,
    failures: report.testResults.flatMap(file => listFailures(file, name)),
  }
  if (failed > 0) return sum
  // Unhandled errors fail a run even if every test passed.
  if (!report.success && report.testResults.length > 0)
    return add(sum, problem(`${name}: the run failed outside of its tests`))
  if (sum.skipped === 0) return sum
  const left = tests.filter(test => test.status !== 'passed' && !isNotApplicable(test)).map(({ fullName }) => fullName)
  return add(sum, problem(`${name}: skipped ${left.join(', ')}`))
}

/** @param {string} path @param {string} name @returns {Sum} */
export function readSum(path, name) {
  if (!existsSync(path)) return problem(`${name}: no report; the run did not finish`)
  try {
    return sumReport(JSON.parse(readFileSync(path, 'utf8')), name)
  } catch (error) {
    return problem(`${name}: unreadable report (${error instanceof Error ? error.message : error})`)
  }
}

/** @param {Sum[]} sums @returns {Sum} */
export function add(...sums) {
  return {
    passed: sums.reduce((total, sum) => total + sum.passed, 0),
    failed: sums.reduce((total, sum) => total + sum.failed, 0),
    skipped: sums.reduce((total, sum) => total + sum.skipped, 0),
    notApplicable: sums.reduce((total, sum) => total + sum.notApplicable, 0),
    failures: sums.flatMap(sum => sum.failures),
    problems: sums.flatMap(sum => sum.problems),
  }
}

/** Formats the last line of `npm test`. A run without tests is a failure too. @param {Sum} sum */
export function line({ passed, failed, skipped, notApplicable }) {
  const rest = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
  ]
  return [`${passed} passed`, `${passed + failed === 0 ? 1 : failed} failed`, ...rest].join(', ')
}

/** Lists the failures; printed right before the last line. @param {Sum} sum */
export function failureText({ failures, problems }) {
  return [...failures, ...problems].map(text => `\n✗ ${text}\n`).join('')
}
