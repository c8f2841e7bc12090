import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { guardedPage } from './vite.integrity.js'

/** Resolves modules like the library: the package manager may install two versions, and the code that reads PSBTs needs the same one. */
const libraryRequire = createRequire(fileURLToPath(import.meta.resolve('@keybay/waas/mpc')))

function resolveOnce(name: string, file: string) {
  return { find: new RegExp(`^${name}/`), replacement: `${dirname(libraryRequire.resolve(`${name}/${file}`))}/` }
}

/** `--mode test-cost` builds the page for tests: each key of a password then costs next to nothing. */
export default defineConfig(({ mode }) => {
  const isTest = mode === 'test-cost'
  return {
    ...guardedPage(isTest ? 'dist/test-client' : 'dist/client', { later: true }),
    define: { __ARGON2_TEST_COST__: isTest ? '{ memoryKiB: 8, iterations: 1, parallelism: 1 }' : 'undefined' },
    resolve: { alias: [resolveOnce('@noble/curves', 'secp256k1.js'), resolveOnce('@noble/hashes', 'sha2.js')] },
  }
})
