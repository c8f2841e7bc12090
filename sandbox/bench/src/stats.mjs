/** Statistics for the bench. A figure that was not measured is `undefined`, never 0. */

/** @param {readonly number[]} values @returns {number | undefined} */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1]
  const high = sorted[sorted.length >> 1]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** @param {readonly number[]} values @returns {number | undefined} */
export function highest(values) {
  return values.length > 0 ? Math.max(...values) : undefined
}

/**
 * Returns the value that `percent` of all values do not exceed.
 * @param {readonly number[]} values
 * @param {number} percent
 * @returns {number | undefined}
 */
export function percentile(values, percent) {
  return [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil((percent / 100) * values.length) - 1)]
}

/** @param {readonly number[]} values */
export function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
