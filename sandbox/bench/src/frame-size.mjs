/** Measures what a user downloads before the wallet frame answers: its built page and everything it loads at once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '@keybay/sandbox-tools/repo'
import { sum } from './stats.mjs'

const built = join(root, 'sandbox/frame/dist/client')

/**
 * Returns gzip bytes, each file compressed on its own. @throws {Error} if the frame was not built, or its page loads
 * nothing
 */
export function frameBytes() {
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  // The page names every chunk of its first load: scripts, their imports and styles.
  const paths = [...html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  if (!paths.some(path => path.endsWith('.js'))) throw new Error('The built frame loads no script.')
  const files = [html, ...paths.map(path => readFileSync(join(built, path)))]
  return sum(files.map(file => gzipSync(file, { level: 9 }).length))
}
