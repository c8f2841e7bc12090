/** Makes node_modules match package-lock.json. Takes a few milliseconds if it already matches. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from './command.mjs'
import { readJson, root } from './repo.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean, name?: string }} Locked
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

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** npm reads it in place of package-lock.json. It exists only while `npm ci` runs. */
const SHRINKWRAP = join(root, 'npm-shrinkwrap.json')

/**
 * Adds to each locked package the address of its file in a registry. Without it, npm reads the list of all versions of
 * each package first, which takes two thirds of the processor time of `npm ci`.
 * @template {Lock} T
 * @param {T} lockfile
 * @param {string} registry
 * @returns {T}
 */
export function withAddresses(lockfile, registry) {
  const base = registry.replace(/\/*$/, '/')
  const packages = Object.entries(lockfile.packages).map(([path, locked]) => {
    const [, at] = /.*node_modules\/(.+)/.exec(path) ?? []
    const name = locked.name ?? at
    if (!name || !at || locked.link || locked.resolved) return [path, locked]
    return [path, { ...locked, resolved: `${base}${name}/-/${name.split('/').at(-1)}-${locked.version}.tgz` }]
  })
  return { ...lockfile, packages: Object.fromEntries(packages) }
}

/** Runs `npm ci`, first with the addresses that most registries use. */
async function installExactly() {
  const args = ['ci', ...QUIET]
  const registry = await npm(['config', 'get', 'registry'], { show: false })
  const lockfile = withAddresses(readJson(join(root, 'package-lock.json')), registry.stdout.trim())
  try {
    writeFileSync(SHRINKWRAP, JSON.stringify(lockfile))
    if ((await npm(args, { show: false })).code === 0) return { code: 0, output: '' }
  } finally {
    rmSync(SHRINKWRAP, { force: true })
  }
  return npm(args, { show: false })
}

/**
 * Installs the locked dependencies. npm 11 rejects a lockfile without the optional binaries of every other system,
 * which npm 10 accepts; then `npm install` runs instead, and its result is compared with the lockfile.
 * @throws {Advice} when npm fails
 */
export async function ensureInstalled() {
  // Of an installation that was interrupted.
  rmSync(SHRINKWRAP, { force: true })
  if (isInstalled(root)) return
  console.info('Installing dependencies (npm ci) …')
  const exact = await installExactly()
  if (exact.code === 0) return
  console.info('npm ci does not accept the lockfile here: npm install …')
  const { code, output } = await npm(['install', '--no-save', ...QUIET], { show: false })
  if (code === 0 && isInstalled(root)) return
  throw new Advice(
    `The dependencies could not be installed:\n\n${exact.output}\n${output}\nCheck the network and the registry that npm is set to; if you changed a package.json, run npm install first.`,
  )
}
