/** Forbids keys that hang Node 20: it can wait for ever when it exports a key that `generateKeyPairSync` returned as an object. */
import { lineAt } from './source-files.mjs'

/** @param {readonly import('./source-files.mjs').SourceFile[]} files @returns {readonly string[]} */
export function unsafeKeyPairs(files) {
  return files
    .filter(({ isCode }) => isCode)
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bgenerateKeyPairSync\((?![^)]*privateKeyEncoding)/g)].map(
        ({ index }) => `${path}:${lineAt(text, index)}: such a key can hang its export: use newKeyPair`,
      ),
    )
}
