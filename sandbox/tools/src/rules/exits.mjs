/** Forbids `process.exit`: it drops output that a pipe has not taken. */
import { lineAt } from './source-files.mjs'

/** The helper that waits for the output, and a process whose parent reads its messages only. */
const MAY_EXIT = ['sandbox/service/src/exit.ts', 'sandbox/bench/src/measured-process.mjs']

/** @param {readonly import('./source-files.mjs').SourceFile[]} files @returns {readonly string[]} */
export function exits(files) {
  return files
    .filter(({ isCode, isTest, path }) => isCode && !isTest && !MAY_EXIT.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bprocess\.exit\(/g)].map(
        ({ index }) =>
          `${path}:${lineAt(text, index)}: process.exit cuts the output; set process.exitCode, or call exitAfterOutput`,
      ),
    )
}
