/** Compares measurements with their limits. */

/** @typedef {{ name: string, value: number | undefined, limit: number, sense: string, unit: string, met: boolean }} Verdict */

/**
 * A value that could not be measured is undefined, which is a miss.
 * @param {string} name @param {number | undefined} value @param {number} limit @returns {Verdict}
 */
export function atMost(name, value, limit, unit = '') {
  return { name, value, limit, sense: 'at most', unit, met: value !== undefined && value <= limit }
}

/** As {@link atMost}. @param {string} name @param {number | undefined} value @param {number} limit @returns {Verdict} */
export function atLeast(name, value, limit, unit = '') {
  return { name, value, limit, sense: 'at least', unit, met: value !== undefined && value >= limit }
}

/** @param {number} value */
function round(value) {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2)
}

/** @param {Verdict} verdict */
export function verdictLine({ name, value, limit, sense, unit, met }) {
  const measured = value === undefined ? 'not measured' : `${round(value)}${unit && ` ${unit}`}`
  return `  ${met ? 'met   ' : 'MISSED'}  ${name}: ${measured} (${sense} ${round(limit)}${unit && ` ${unit}`})`
}

/** @param {readonly Verdict[]} verdicts */
export function tally(verdicts) {
  const met = verdicts.filter(verdict => verdict.met).length
  return `${met} budgets met, ${verdicts.length - met} missed`
}
