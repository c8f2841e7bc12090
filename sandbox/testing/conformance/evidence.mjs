/** Reads what the last `npm test` found out about the files as they are now. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { turbo } from '@keybay/sandbox-tools/build'
import { packages, readJson } from '@keybay/sandbox-tools/repo'
import { isNotApplicable } from '@keybay/sandbox-tools/sums'
import { getTags } from './proof.mjs'

/** @typedef {import('./proof.mjs').Test & { file: string }} Test `file` is a path from the repository's root. */
/** @typedef {import('@keybay/sandbox-tools/sums').VitestReport & { inputs?: string, code?: number }} Report `stamp` adds the last two. */

/** Tasks of turbo that write reports. */
const REPORTS = { test: 'vitest.json', 'test:faults': 'vitest-faults.json' }

/**
 * Returns turbo's hash of everything that decides each task's result: sources, dependencies, settings.
 * @param {string} root
 * @returns {Promise<ReadonlyMap<string, string>>} `folder task` → hash
 */
export async function hashInputs(root) {
  const { code, stdout, output } = await turbo(Object.keys(REPORTS), ['--dry=json'], { cwd: root, show: false })
  if (code !== 0) throw new Error(`turbo could not list the tests:\n${output}`)
  /** @type {{ tasks: readonly { directory: string, task: string, hash: string }[] }} */
  const { tasks } = JSON.parse(stdout)
  return new Map(tasks.map(({ directory, task, hash }) => [`${directory} ${task}`, hash]))
}

/**
 * Returns the tests of one report. A file that failed outside of its tests proves nothing, and if the run failed outside
 * of its files, neither does the report: an assertion may have failed after its test.
 * @param {Report} report
 * @param {string} folder
 * @returns {Test[]}
 */
function listTests({ code, testResults }, folder) {
  const isBroken = code !== 0 && !testResults.some(({ status }) => status === 'failed')
  return testResults.flatMap(({ name: path, status: fileStatus, assertionResults }) => {
    const hasFailed = assertionResults.some(({ status }) => status === 'failed')
    const isDoubtful = isBroken || (fileStatus === 'failed' && !hasFailed)
    return assertionResults
      .filter(test => !isNotApplicable(test))
      .map(({ fullName, status }) => ({
        name: fullName,
        status: isDoubtful && status === 'passed' ? 'passed, but its run failed outside of the tests' : status,
        // A cached report may hold paths of another copy of the repository.
        file: join(folder, path.slice(path.lastIndexOf(`/${folder}/`) + folder.length + 2)),
      }))
  })
}

/**
 * Returns a package's test files that claim rows, with those rows. Files of `npm run test:soak` are not part of a run.
 * @param {string} root
 * @param {string} folder
 */
function listClaims(root, folder) {
  const tests = join(root, folder, 'test')
  if (!existsSync(tests)) return []
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter(file => /(^|[\\/])(?!soak)[^\\/]*\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map(file => ({ file: join(folder, 'test', file), ids: getTags(readFileSync(join(tests, file), 'utf8')) }))
    .filter(({ ids }) => ids.length > 0)
}

/**
 * Reads every package's `.reports`; a report of other inputs than the present ones counts as missing.
 * @param {string} root
 * @param {ReadonlyMap<string, string>} hashes
 * @returns {{ tests: Test[], untested: import('./proof.mjs').Untested[] }}
 * @throws {Error} when no report exists
 */
export function readEvidence(root, hashes) {
  const all = packages(root).filter(({ manifest }) => manifest.scripts?.test)
  const reports = all.flatMap(({ folder }) =>
    Object.entries(REPORTS).map(([task, name]) => ({ folder, task, path: join(root, folder, '.reports', name) })),
  )
  const existing = reports.filter(({ path }) => existsSync(path))
  if (existing.length === 0) throw new Error('There is no test report yet: run npm test first.')
  const tests = existing.flatMap(({ folder, task, path }) => {
    /** @type {Report} */
    const report = readJson(path)
    return report.inputs !== undefined && report.inputs === hashes.get(`${folder} ${task}`)
      ? listTests(report, folder)
      : []
  })
  const untested = all
    .flatMap(({ folder }) => listClaims(root, folder))
    .map(({ file, ids }) => {
      const claimed = new Set(tests.filter(test => test.file === file).flatMap(({ name }) => getTags(name)))
      return { file, ids: ids.filter(id => !claimed.has(id)) }
    })
    .filter(({ ids }) => ids.length > 0)
  return { tests, untested }
}
