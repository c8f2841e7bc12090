/** Measures what a user downloads for the first load of a built page: the page and everything that it names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sum } from './stats.mjs'

/**
 * Returns compressed bytes, each file compressed on its own.
 * @param {string} folder that was built
 * @param {(file: string | Buffer) => Buffer} compress
 * @throws {Error} if the page was not built, or loads nothing
 */
export function pageBytes(folder, compress) {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  // The page names every chunk of its first load: scripts, their imports and styles.
  const paths = [...html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  if (!paths.some(path => path.endsWith('.js'))) throw new Error(`The page in ${folder} loads no script.`)
  const files = [html, ...paths.map(path => readFileSync(join(folder, path)))]
  return sum(files.map(file => compress(file).length))
}
