/** Formats a table for the terminal or for a README. */

/**
 * @typedef {object} Table
 * @property {readonly string[]} head The first column is text, the others figures.
 * @property {readonly (readonly string[])[]} rows
 */

/** @param {number | undefined} value @param {number} [digits] decimal places */
export function figure(value, digits = 1) {
  return value === undefined ? '–' : value.toFixed(digits)
}

/** @param {Table} table */
export function asText({ head, rows }) {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map(row => (row[column] ?? '').length)))
  const pad = (/** @type {string} */ cell, /** @type {number} */ column) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const lines = all.map(row => `  ${row.map(pad).join('  ')}`)
  lines.splice(1, 0, `  ${widths.map(width => '─'.repeat(width)).join('  ')}`)
  return lines.join('\n')
}

/** @param {Table} table */
export function asMarkdown({ head, rows }) {
  return [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows]
    .map(row => `| ${row.join(' | ')} |`)
    .join('\n')
}
