/** Configures vitest's output: one line per file, all details of failures, and a report to add up. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** @param {string} report path of the report @returns {string[]} vitest's arguments */
export function reporting(report) {
  return [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // Output of a test matters only when the test fails.
    '--silent=passed-only',
    // Each slow test would print a line; the report already has its time.
    `--slowTestThreshold=${Number.MAX_SAFE_INTEGER}`,
  ]
}

/**
 * Adds turbo's hash of the task's inputs to a report, so that a reader can tell whether the inputs changed since. A
 * report of a run without turbo, which may have left out tests, gets none.
 * @param {string} report its path
 * @param {number} code exit code of vitest: not 0 also for errors outside of tests, which the report does not have
 */
export function stamp(report, code) {
  const { TURBO_HASH: inputs } = process.env
  if (inputs && existsSync(report))
    writeFileSync(report, JSON.stringify({ ...JSON.parse(readFileSync(report, 'utf8')), inputs, code }))
}
