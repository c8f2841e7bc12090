/**
 * Reads the search terms that `files.list` takes here, joined by `and`:
 * https://developers.google.com/workspace/drive/api/guides/ref-search-terms
 */
import { eq, type SQL, sql } from 'drizzle-orm'
import { invalidValue } from './drive-errors.js'
import { driveFiles } from './schema.js'

const TEXT = String.raw`'((?:[^'\\]|\\['\\])*)'`

function plain(text = ''): string {
  return text.replace(/\\(['\\])/g, '$1')
}

type Term = readonly [RegExp, (...found: readonly string[]) => SQL | undefined]
const TERMS: readonly Term[] = [
  [new RegExp(`^name\\s*=\\s*${TEXT}`), text => eq(driveFiles.name, plain(text))],
  [new RegExp(`^mimeType\\s*=\\s*${TEXT}`), text => eq(driveFiles.mimeType, plain(text))],
  [/^trashed\s*=\s*false/, () => undefined],
  [/^'appDataFolder'\s+in\s+parents/, () => undefined],
  [
    new RegExp(`^appProperties\\s+has\\s*\\{\\s*key\\s*=\\s*${TEXT}\\s+and\\s+value\\s*=\\s*${TEXT}\\s*\\}`),
    (key, value) => sql`${driveFiles.appProperties} ->> ${plain(key)} = ${plain(value)}`,
  ],
]

/** @throws DriveError `invalid` for anything else, including typos */
export function readQuery(q: string): readonly SQL[] {
  const conditions: SQL[] = []
  let rest = q.trim()
  while (rest !== '') {
    let taken = ''
    for (const [pattern, make] of TERMS) {
      const match = pattern.exec(rest)
      if (!match) continue
      const [whole, ...texts] = match
      taken = whole
      const condition = make(...texts)
      if (condition) conditions.push(condition)
      break
    }
    if (taken === '') throw invalidValue('q')
    rest = rest.slice(taken.length).trim()
    if (rest === '') break
    const and = /^and\s+/.exec(rest)
    if (!and) throw invalidValue('q')
    rest = rest.slice(and[0].length)
  }
  return conditions
}
