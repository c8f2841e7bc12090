import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { guardedPage } from './vite.integrity.js'

/** Where the library has them. What reads PSBTs wants the very same versions, and the package manager may lay them down twice. */
const ofLibrary = createRequire(fileURLToPath(import.meta.resolve('@keybay/waas/mpc')))

function once(name: string, file: string) {
  return {
    find: new RegExp(`^${name}/`),
    replacement: `${dirname(ofLibrary.resolve(`${name}/${file}`))}/`,
  }
}

export default defineConfig({
  ...guardedPage('dist/client', { later: true }),
  resolve: { alias: [once('@noble/curves', 'secp256k1.js'), once('@noble/hashes', 'sha2.js')] },
})
