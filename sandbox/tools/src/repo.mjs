/** Finds the repository's root and packages. Every command uses this module. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(fileURLToPath(new URL('../../..', import.meta.url)))

/**
 * @typedef {Readonly<Record<string, string>>} Texts
 * @typedef {{ name: string, version: string, license?: string, private?: boolean, workspaces?: readonly string[] }} Facts
 * @typedef {{ files?: readonly string[], exports?: Readonly<Record<string, unknown>>, scripts?: Texts }} Content
 * @typedef {{ repository?: { url: string, directory: string }, homepage?: string, bugs?: string, keywords?: readonly string[] }} Links
 * @typedef {{ dependencies?: Texts, devDependencies?: Texts, peerDependencies?: Texts, optionalDependencies?: Texts }} Needs
 * @typedef {Facts & Content & Links & Needs} Manifest The parts of package.json that the commands read.
 *
 * @typedef {object} Package
 * @property {string} folder From the root, with forward slashes: `plugins/solana`.
 * @property {string} id The folder's own name, which is also its test project: `solana`.
 * @property {string} name `@keybay/solana`
 * @property {boolean} published
 * @property {Manifest} manifest
 */

/** @param {string} path @returns {any} the parsed file; callers declare the expected type */
export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * Returns every package of the workspace, in the order of `workspaces`.
 * @param {string} [base] another copy of the repository
 * @returns {readonly Package[]}
 */
export function packages(base = root) {
  /** @type {Manifest} */
  const { workspaces = [] } = readJson(join(base, 'package.json'))
  return workspaces
    .flatMap(pattern => {
      if (!pattern.endsWith('/*')) return [pattern]
      const parent = pattern.slice(0, -2)
      return readdirSync(join(base, parent))
        .sort()
        .map(name => `${parent}/${name}`)
    })
    .filter(folder => existsSync(join(base, folder, 'package.json')))
    .map(folder => readPackage(base, folder))
}

/** @param {string} base @param {string} folder @returns {Package} */
function readPackage(base, folder) {
  /** @type {Manifest} */
  const manifest = readJson(join(base, folder, 'package.json'))
  return { folder, id: basename(folder), name: manifest.name, published: !manifest.private, manifest }
}

const CREATORS = 'sandbox/create/dist'

/** Returns the packages that `sandbox/create` builds for npm, which are no workspaces. @param {string} [base] */
export function createPackages(base = root) {
  return readdirSync(join(base, CREATORS))
    .sort()
    .map(name => readPackage(base, `${CREATORS}/${name}`))
}
