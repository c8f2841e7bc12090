/** Makes node_modules match package-lock.json. Takes a few milliseconds if it already matches. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from './command.mjs'
import { readJson, root } from './repo.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} Locked
 * @typedef {{ packages: Readonly<Record<string, Locked>> }} Lock
 */

/**
 * Compares the lockfile with node_modules/.package-lock.json, where npm records what it installed, so other ways of
 * installing are detected too. Optional packages for other systems may be absent.
 * @param {string} base
 */
export function isInstalled(base) {
  const done = join(base, 'node_modules', '.package-lock.json')
  if (!existsSync(done)) return false
  /** @type {Lock} */
  const lockfile = readJson(join(base, 'package-lock.json'))
  /** @type {Lock} */
  const installed = readJson(done)
  return Object.entries(lockfile.packages).every(([path, want]) => {
    const have = installed.packages[path]
    if (!path.includes('node_modules/')) return true
    if (!have) return want.optional === true
    return have.version === want.version && have.integrity === want.integrity && have.link === want.link
  })
}

/**
 * Installs the locked dependencies. npm 11 rejects a lockfile without the optional binaries of every other system,
 * which npm 10 accepts; then `npm install` runs instead, and its result is compared with the lockfile.
 * @throws {Advice} when npm fails
 */
export async function ensureInstalled() {
  if (isInstalled(root)) return
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  console.info('Installing dependencies (npm ci) …')
  const exact = await npm(['ci', ...quiet], { show: false })
  if (exact.code === 0) return
  console.info('npm ci does not accept the lockfile here: npm install …')
  const { code, output } = await npm(['install', '--no-save', ...quiet], { show: false })
  if (code === 0 && isInstalled(root)) return
  throw new Advice(
    `The dependencies could not be installed:\n\n${exact.output}\n${output}\nCheck the network and the registry that npm is set to; if you changed a package.json, run npm install first.`,
  )
}
