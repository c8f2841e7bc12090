/** Compares measurements with their limits. */

/**
 * @typedef {object} Budget
 * @property {string} name
 * @property {number | undefined} value `undefined`: it could not be measured, which is a miss.
 * @property {number} limit
 * @property {'at most' | 'at least'} sense
 * @property {string} unit
 *
 * @typedef {Budget & { met: boolean }} Verdict
 */

/**
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} limit
 * @param {string} [unit]
 * @returns {Verdict}
 */
export function atMost(name, value, limit, unit = '') {
  return { name, value, limit, sense: 'at most', unit, met: value !== undefined && value <= limit }
}

/**
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} limit
 * @param {string} [unit]
 * @returns {Verdict}
 */
export function atLeast(name, value, limit, unit = '') {
  return { name, value, limit, sense: 'at least', unit, met: value !== undefined && value >= limit }
}

/** @param {number} value */
function round(value) {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2)
}

/** @param {Verdict} verdict */
export function verdictLine({ name, value, limit, sense, unit, met }) {
  const found = value === undefined ? 'not measured' : `${round(value)}${unit && ` ${unit}`}`
  return `  ${met ? 'met   ' : 'MISSED'}  ${name}: ${found} (${sense} ${round(limit)}${unit && ` ${unit}`})`
}

/** @param {readonly Verdict[]} verdicts */
export function tally(verdicts) {
  const met = verdicts.filter(verdict => verdict.met).length
  return `${met} budgets met, ${verdicts.length - met} missed`
}
