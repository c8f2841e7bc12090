/**
 * A test file that failed runs once more, alone, when all others have ended: what a busy machine did to it is told apart from what
 * is broken. Nothing is hidden by that: what passed only now is named, with why it failed at first.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './command.mjs'
import { readJson, root } from './repo.mjs'
import { reporting } from './reporting.mjs'
import { failuresOf } from './sums.mjs'

/** More than these are no chance. */
const MOST_FILES = 3

/** @typedef {import('./repo.mjs').Package} Package @typedef {import('./sums.mjs').VitestReport} VitestReport */

/** @param {string} path @returns {VitestReport | undefined} nothing where there is none, or half of one: whoever adds up says so */
function read(path) {
  try {
    return readJson(path)
  } catch {
    return undefined
  }
}
/** @param {VitestReport} report */
function failedFiles(report) {
  return report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/**
 * The first report with the files of the second in the place of its own.
 * @param {VitestReport} first
 * @param {VitestReport} second
 * @returns {VitestReport}
 */
export function merged(first, second) {
  const again = new Map(second.testResults.map(file => [file.name, file]))
  const testResults = first.testResults.map(file => again.get(file.name) ?? file)
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (/** @type {string} */ wanted) => statuses.filter(status => status === wanted).length
  const [numPassedTests, numFailedTests, numTodoTests] = [count('passed'), count('failed'), count('todo')]
  return {
    // An error outside of the tests counts in either run.
    success: second.success && testResults.every(({ status }) => status !== 'failed'),
    numPassedTests,
    numFailedTests,
    numTodoTests,
    numPendingTests: statuses.length - numPassedTests - numFailedTests - numTodoTests,
    testResults,
  }
}

/**
 * What failed in the first run and passed in the second, with why it failed.
 * @param {VitestReport} first
 * @param {VitestReport} now with the second run's files
 * @param {string} id
 * @returns {readonly string[]}
 */
export function passedNow(first, now, id) {
  return first.testResults.flatMap(file => {
    const again = now.testResults.find(({ name }) => name === file.name)
    const passed = again?.assertionResults.filter(({ status }) => status === 'passed') ?? []
    // One that could not be loaded at first has no tests.
    if (file.assertionResults.length === 0) return passed.length > 0 ? failuresOf(file, id) : []
    const assertionResults = file.assertionResults.filter(({ fullName }) =>
      passed.some(test => test.fullName === fullName),
    )
    return assertionResults.length > 0 ? failuresOf({ ...file, assertionResults }, id) : []
  })
}

/**
 * @param {readonly Package[]} chosen
 * @param {(one: Package) => string} reportOf
 * @param {{ env: NodeJS.ProcessEnv }} options
 * @returns {Promise<readonly string[]>} what passed at its second try, and why it failed at first
 */
export async function tryAgain(chosen, reportOf, { env }) {
  const runs = chosen.flatMap(one => {
    const report = reportOf(one)
    const first = read(report)
    const files = first ? failedFiles(first) : []
    return first && files.length > 0 ? [{ one, report, first, files }] : []
  })
  if (runs.flatMap(({ files }) => files).length > MOST_FILES) return []
  /** @type {string[]} */
  const chances = []
  for (const { one, report, first, files } of runs) {
    console.info(`\nOnce more, alone: ${files.map(file => file.slice(root.length + 1)).join(', ')}`)
    const own = join(one.folder, '.reports', 'second-try.json')
    rmSync(join(root, own), { force: true })
    await runTool(
      'vitest/vitest.mjs',
      ['run', `--root=${root}`, `--project=${one.id}`, ...files, ...reporting(join(root, own))],
      { env },
    )
    const second = read(join(root, own))
    if (!second) continue
    const now = merged(first, second)
    writeFileSync(report, JSON.stringify(now))
    chances.push(...passedNow(first, now, one.id))
  }
  return chances
}
