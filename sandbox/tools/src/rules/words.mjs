/** Lists words that code, comments, tests and documentation avoid, each with a clearer replacement. */
import { lineAt } from './source-files.mjs'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

const WORDS = [
  { pattern: /\b(telephones?)\b/i, instead: 'phone' },
  { pattern: /\b(nobody|somebody|whoever|whomever)\b/i, instead: 'the actor: user, app, wallet, relay, server' },
  { pattern: /\b(the person|a person|people(?!\.example)|persons?)\b/i, instead: 'user' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bof late\b/i, instead: 'recent' },
  { pattern: /\bmeanwhile\b/i, instead: 'at the same time' },
  { pattern: /\bbesides\b/i, instead: 'also' },
  { pattern: /\b(lets? go of)\b/i, instead: 'release, disconnect' },
  { pattern: /\bthere is no such\b/i, instead: 'not found' },
  { pattern: /\bof one['’]s own\b/i, instead: 'embedded wallet' },
  { pattern: /\b(divid(es?|ed|ing) (it|the key))\b/i, instead: 'create key shares' },
]

/** Texts of others: the example of EIP-712 has a type `Person`. */
const QUOTED = 'plugins/waas/test/evm/evm.test.ts'

const THIS_LIST = /\/rules(\/words\.mjs|\.test\.ts)$/

/** @param {readonly SourceFile[]} files @returns {readonly string[]} */
export function forbiddenWords(files) {
  return files
    .filter(({ path }) => !THIS_LIST.test(path) && path !== QUOTED)
    .flatMap(({ path, text }) =>
      WORDS.flatMap(({ pattern, instead }) =>
        [...text.matchAll(new RegExp(pattern, 'gi'))].map(
          match => `${path}:${lineAt(text, match.index)}: “${match[0]}”: say ${instead}`,
        ),
      ),
    )
}
