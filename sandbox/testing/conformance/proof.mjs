/** Decides which rows of the specification are proved: pure, without files. */

/** @typedef {{ message: string, condition: string, test: string | null }} MessageRow S8.3: `test` is the exact name of the test that raises it. */
/** @typedef {Readonly<Record<string, string>>} TypedOnly enumeration → why no shipped code uses it */
/** @typedef {{ text: string, messages?: readonly MessageRow[], cases?: readonly string[], typedOnly?: TypedOnly, unraised?: TypedOnly }} Row `cases`: each is a word in the name of a passing test of this row */
/** @typedef {Record<string, Row>} Rows */
/** @typedef {{ name: string, status: string }} Test status as vitest reports it: passed, failed, skipped, todo … */
/** @typedef {{ file: string, ids: readonly string[] }} Untested A test file without a result of the files as they are, and the rows that it claims. */
/** @typedef {{ text: string, tests: string[], proved: boolean, problems: string[], typedOnly?: TypedOnly }} Proof */
/** @typedef {Record<string, Proof>} Result */

/** Matches `[S5.4]`, `[S5.4][S5.5]` and `[S5.4, S5.5]`; any other text that begins like a tag is a typo. */
const TAG = /\[(S\d[^\]]*)\]/g

/** Returns the row ids that a test's name claims. @param {string} name @returns {string[]} */
export function getTags(name) {
  return [...name.matchAll(TAG)].flatMap(([, ids = '']) => ids.split(',').map(id => id.trim()))
}

/** @param {string} name @param {string} word */
function hasWord(name, word) {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\w-])${literal}(?![\w-])`).test(name)
}

/** @param {Row} row @param {ReadonlySet<string>} passed names of all passing tests */
function findUnraised({ messages = [] }, passed) {
  return messages.filter(({ test }) => test === null || !passed.has(test))
}

/**
 * Proves one row: all of its tests passed, in every file that has some, and each case of a list has one.
 * @param {string} id
 * @param {Row} row
 * @param {{ tagged: readonly (Test & { ids: ReadonlySet<string> })[], passed: ReadonlySet<string>, untested: readonly Untested[] }} evidence
 * @returns {Proof}
 */
function proveRow(id, row, { tagged, passed, untested }) {
  const { text, cases = [], typedOnly } = row
  const own = tagged.filter(({ ids }) => ids.has(id))
  const names = own.filter(({ status }) => status === 'passed').map(({ name }) => name)
  const problems = [
    ...own.filter(({ status }) => status !== 'passed').map(({ name, status }) => `${status}: ${name}`),
    ...untested.filter(({ ids }) => ids.includes(id)).map(({ file }) => `no result of this state: ${file}`),
    ...cases.filter(word => !names.some(name => hasWord(name, word))).map(word => `no passing test of: ${word}`),
    ...findUnraised(row, passed).map(({ message, condition }) => `no passing test of: “${message}” (${condition})`),
    ...(own.length === 0 ? ['no test'] : []),
  ]
  return { text, tests: [...new Set(names)], proved: problems.length === 0, problems, ...(typedOnly && { typedOnly }) }
}

/**
 * @param {Rows} rows
 * @param {readonly Test[]} tests
 * @param {readonly Untested[]} [untested]
 * @returns {Result} in the order of the rows
 * @throws {Error} that names every tag that is not a row, and its test
 */
export function prove(rows, tests, untested = []) {
  const tagged = tests.map(test => ({ ...test, ids: new Set(getTags(test.name)) }))
  const unknown = tagged.flatMap(({ name, ids }) =>
    [...ids].filter(id => !Object.hasOwn(rows, id)).map(id => `  [${id}] in "${name}"`),
  )
  if (unknown.length) throw new Error(`No such row in sandbox/testing/conformance/rows.json:\n${unknown.join('\n')}`)
  // A name that two projects share must pass in both.
  const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ name }) => name))
  for (const { name, status } of tests) if (status !== 'passed') passed.delete(name)
  return Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id, proveRow(id, row, { tagged, passed, untested })]),
  )
}

/** Longest list of problems to print per row; `--json` has all. */
const MAX_PROBLEMS = 5

/** @param {readonly string[]} problems */
function formatProblems(problems) {
  const rest = problems.length - MAX_PROBLEMS
  return [...problems.slice(0, MAX_PROBLEMS), ...(rest > 0 ? [`… and ${rest} more`] : [])].map(
    line => `         ${line}`,
  )
}

/** Formats the result as text. @param {Result} result @returns {string} */
export function format(result) {
  const all = Object.entries(result)
  const open = all.filter(([, { proved }]) => !proved)
  const typedOnly = all.flatMap(([id, row]) => Object.entries(row.typedOnly ?? {}).map(entry => [id, ...entry]))
  return [
    ...open.flatMap(([id, { text, problems }]) => [`${id.padEnd(6)} ${text}`, ...formatProblems(problems)]),
    ...(typedOnly.length ? ['', 'Typed only, no shipped code uses them:'] : []),
    ...typedOnly.map(([id = '', name, why]) => `${id.padEnd(6)} ${name}: ${why}`),
    '',
    `${all.length - open.length} of ${all.length} rows proved, ${open.length} not proved`,
  ].join('\n')
}
