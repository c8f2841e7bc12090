#!/usr/bin/env node
/**
 * Reports the rows of the specification that have a passing test. Reads `rows.json` and every package's last test
 * report.
 *
 *   npm run conformance              rows without a passing test, and the total
 *   npm run conformance -- --json    one object: row id → { text, tests, proved }
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import process, { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/** @typedef {{ message: string, condition: string, test: string | null }} MessageRow S8.3: `test` is the exact name of the test that raises it. */
/** @typedef {Record<string, { text: string, messages?: readonly MessageRow[] }>} Rows */
/** @typedef {{ name: string, passed: boolean }} Test */
/** @typedef {Record<string, { text: string, tests: string[], proved: boolean }>} Result */
/** @typedef {{ testResults: { assertionResults: { fullName: string, status: string }[] }[] }} Report what vitest's JSON reporter writes */

/** @param {string} path @returns {Report} */
function readReport(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Matches `[S5.4]`, `[S5.4][S5.5]` and `[S5.4, S5.5]`; any other text that begins like a tag is a typo. */
const TAG = /\[(S\d[^\]]*)\]/g

/** Returns the row ids that a test's name claims. @param {string} name @returns {string[]} */
export function getTags(name) {
  return [...name.matchAll(TAG)].flatMap(([, ids = '']) => ids.split(',').map(id => id.trim()))
}

/**
 * @param {Rows} rows
 * @param {readonly Test[]} tests
 * @returns {Result} in the order of the rows
 * @throws {Error} that names every tag that is not a row, and its test
 */
export function prove(rows, tests) {
  const tagged = tests.map(test => ({ ...test, ids: new Set(getTags(test.name)) }))
  const unknown = tagged.flatMap(({ name, ids }) =>
    [...ids].filter(id => !Object.hasOwn(rows, id)).map(id => `  [${id}] in "${name}"`),
  )
  if (unknown.length) throw new Error(`No such row in sandbox/testing/conformance/rows.json:\n${unknown.join('\n')}`)
  const passed = new Set(tests.filter(test => test.passed).map(test => test.name))
  return Object.fromEntries(
    Object.entries(rows).map(([id, { text, messages = [] }]) => {
      const provingTests = tagged.filter(({ ids, passed }) => passed && ids.has(id)).map(({ name }) => name)
      const raised = messages.every(({ test }) => test !== null && passed.has(test))
      return [id, { text, tests: provingTests, proved: provingTests.length > 0 && raised }]
    }),
  )
}

/**
 * Returns the messages of a row that no passing test raises.
 * @param {Rows} rows
 * @param {readonly Test[]} tests
 * @returns {MessageRow[]}
 */
export function unraised(rows, tests) {
  const passed = new Set(tests.filter(test => test.passed).map(test => test.name))
  return Object.values(rows).flatMap(({ messages = [] }) =>
    messages.filter(({ test }) => test === null || !passed.has(test)),
  )
}

/** A package may run several projects separately. */
const REPORT = /[\\/]vitest(-\w+)?\.json$/
const PARENTS = ['plugins', 'sandbox']
/**
 * Reads every `<package>/.reports/vitest*.json`.
 * @param {string} root
 * @returns {Test[]}
 * @throws {Error} when no report exists
 */
export function readTests(root) {
  const inside = PARENTS.filter(parent => existsSync(join(root, parent))).flatMap(parent =>
    readdirSync(join(root, parent)).map(name => join(parent, name)),
  )
  const reports = ['kernel', 'react', ...inside]
    .map(folder => join(root, folder, '.reports'))
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(path => REPORT.test(path))
  if (!reports.length) throw new Error('There is no test report yet: run npm test first.')
  return reports.flatMap(path =>
    readReport(path).testResults.flatMap(file =>
      file.assertionResults.map(({ fullName, status }) => ({ name: fullName, passed: status === 'passed' })),
    ),
  )
}

/** @returns {Rows} */
export function readRows() {
  return JSON.parse(readFileSync(new URL('rows.json', import.meta.url), 'utf8'))
}

/**
 * Formats the command's output.
 * @param {Rows} rows
 * @param {readonly Test[]} tests
 * @param {boolean} json
 * @returns {string}
 */
export function report(rows, tests, json) {
  const result = prove(rows, tests)
  if (json) return JSON.stringify(result, null, 2)
  const all = Object.entries(result)
  const open = all.filter(([, { proved }]) => !proved)
  const messages = unraised(rows, tests)
  return [
    ...open.map(([id, { text }]) => `${id.padEnd(6)} ${text}`),
    ...(messages.length ? ['', 'Messages of S8.3 that no passing test raises:'] : []),
    ...messages.map(({ message, condition }) => `       "${message}": ${condition}`),
    '',
    `${all.length - open.length} of ${all.length} rows proved, ${open.length} with no passing test`,
  ].join('\n')
}

/**
 * Runs the command.
 * @param {readonly string[]} [args]
 * @param {string} [root] the repository
 * @returns {number} the exit code: 1 for a tag that is not a row, or when nothing has been tested yet
 */
export function main(args = argv.slice(2), root = fileURLToPath(new URL('../../..', import.meta.url))) {
  try {
    console.info(report(readRows(), readTests(root), args.includes('--json')))
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

// Not `exit`: it would end the process before a pipe has taken the whole report.
if (argv[1] && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) process.exitCode = main()
