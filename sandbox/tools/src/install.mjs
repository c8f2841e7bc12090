/** Makes sure that node_modules is what package-lock.json says. Costs a few milliseconds when it is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from './command.mjs'
import { readJson, root } from './repo.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} Locked
 * @typedef {{ packages: Readonly<Record<string, Locked>> }} Lock
 */

/**
 * npm leaves in node_modules/.package-lock.json what it really installed; compared with the lockfile it tells about
 * any other way of installing too. Optional packages for other systems are rightly absent.
 * @param {string} base
 */
export function isInstalled(base) {
  const done = join(base, 'node_modules', '.package-lock.json')
  if (!existsSync(done)) return false
  /** @type {Lock} */
  const wanted = readJson(join(base, 'package-lock.json'))
  /** @type {Lock} */
  const found = readJson(done)
  return Object.entries(wanted.packages).every(([path, want]) => {
    const have = found.packages[path]
    if (!path.includes('node_modules/')) return true
    if (!have) return want.optional === true
    return have.version === want.version && have.integrity === want.integrity && have.link === want.link
  })
}

/**
 * npm 11 refuses a lockfile without the optional binaries of every other system, which npm 10 accepts; then
 * `npm install` puts in what the lockfile says, and what npm really installed is compared with it afterwards.
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
