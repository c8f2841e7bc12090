/** How vitest says what it does: one line a file, all of what failed, and a report to add up. */

/**
 * @param {string} report the report's file
 * @returns {string[]} vitest's arguments
 */
export function reporting(report) {
  return [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // What a test prints is of use when it fails.
    '--silent=passed-only',
    // Slow ones would have a line each; the report has the time of each.
    `--slowTestThreshold=${Number.MAX_SAFE_INTEGER}`,
  ]
}
