/** Configures vitest's output: one line per file, all details of failures, and a report to add up. */

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
