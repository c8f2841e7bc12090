#!/usr/bin/env node
/**
 * Reports the rows of the specification that the last `npm test` proved. Reads `rows.json` and every package's last
 * test report.
 *
 *   npm run conformance              rows that are not proved, why not, and the total
 *   npm run conformance -- --json    one object: row id → { text, tests, proved, problems }
 */
import { readFileSync, realpathSync } from 'node:fs'
import process, { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { hashInputs, readEvidence } from './evidence.mjs'
import { format, prove } from './proof.mjs'

/** @returns {import('./proof.mjs').Rows} */
export function readRows() {
  return JSON.parse(readFileSync(new URL('rows.json', import.meta.url), 'utf8'))
}

/**
 * Runs the command.
 * @param {readonly string[]} [args]
 * @param {string} [root] the repository
 * @returns {Promise<number>} the exit code: 1 for a tag that is not a row, or when nothing has been tested yet
 */
export async function main(args = argv.slice(2), root = fileURLToPath(new URL('../../..', import.meta.url))) {
  try {
    const { tests, untested } = readEvidence(root, await hashInputs(root))
    const result = prove(readRows(), tests, untested)
    console.info(args.includes('--json') ? JSON.stringify(result, null, 2) : format(result))
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

// Not `exit`: it would end the process before a pipe has taken the whole report.
if (argv[1] && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) process.exitCode = await main()
