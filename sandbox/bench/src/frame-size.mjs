/** Measures what a user downloads before the wallet frame answers: its built page and everything it loads at once. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '@keybay/sandbox-tools/repo'
import { pageBytes } from './built-page.mjs'

/** Returns gzip bytes. @throws {Error} if the frame was not built */
export function frameBytes() {
  return pageBytes(join(root, 'sandbox/frame/dist/client'), file => gzipSync(file, { level: 9 }))
}
