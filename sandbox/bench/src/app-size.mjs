/** Measures what a user downloads before the app is usable, as its server sends it: in Brotli. */
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from '@keybay/sandbox-tools/repo'
import { pageBytes } from './built-page.mjs'

/** Brotli KB of the app's page with everything it loads at once; what follows on the first page has 20 KB more. */
export const APP_LIMIT_KB = 140

/** Returns Brotli bytes. @throws {Error} if the app was not built */
export function appBytes() {
  return pageBytes(join(root, 'sandbox/app/dist/client'), file => brotliCompressSync(file))
}
