/** Forbids tests that read a page once, before what comes late is there, and waits that are too short for a busy machine. */
import { lineAt } from './source-files.mjs'

/** Playwright's reads that don't wait, in an expectation that doesn't either. */
const READ_ONCE =
  /expect\(await [^\n]*\.(?:all(?:InnerTexts|TextContents)|boundingBox|count|inputValue|innerText|is(?:Checked|Disabled|Enabled|Hidden|Visible)|textContent)\(\)\)/g
/** Ends after Vitest's own second, because no timeout follows. */
const SHORT = /vi\.wait(?:For|Until)\((?!.{0,200}timeout)/gs

/** @param {readonly import('./source-files.mjs').SourceFile[]} files @returns {readonly string[]} */
export function hastyTests(files) {
  const find = (/** @type {RegExp} */ pattern, /** @type {string} */ where, /** @type {string} */ advice) =>
    files
      .filter(({ path, isTest }) => isTest && path.startsWith(where))
      .flatMap(({ path, text }) =>
        [...text.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(text, index)}: ${advice}`),
      )
  return [
    ...find(READ_ONCE, 'sandbox/testing/test/', 'the page may still change: use expect.poll'),
    ...find(SHORT, '', 'a busy machine needs more than a second: use expect.poll'),
  ]
}
