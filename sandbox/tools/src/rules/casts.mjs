/** Forbids casts of an SQL parameter that PGlite and the driver of PostgreSQL read differently. */
import { lineAt } from './source-files.mjs'

/** For these types the driver converts the value itself: any text becomes false, or JSON in JSON. */
const CONVERTED = /\$\d+::(bool(?:ean)?|jsonb?|bytea|date|timestamp(?:tz)?)\b/gi

/** @param {readonly import('./source-files.mjs').SourceFile[]} files @returns {readonly string[]} */
export function driverCasts(files) {
  return files
    .filter(({ isCode, isTest }) => isCode && !isTest)
    .flatMap(({ path, text }) =>
      [...text.matchAll(CONVERTED)].map(
        ({ index, 0: cast, 1: type }) => `${path}:${lineAt(text, index)}: “${cast}”: cast from text, ::text::${type}`,
      ),
    )
}
