/**
 * Finds programs and package entries that reach a stand-in: made-up users, and secrets published in this repository.
 * Only what `npm start` runs may reach one. Follows imports through the sources of all packages, types included.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getImports, getPackage } from './imports.mjs'
import { packages, root } from './repo.mjs'

/** @typedef {import('./repo.mjs').Package} Package */

/** Packages that consist of stand-ins: for social providers, mail and SMS, a chain, wallets, a host app. */
const STAND_IN_PACKAGES = ['identity', 'inbox', 'chain', 'wallet', 'wallets', 'app'].map(id => `sandbox/${id}/`)

/** Prefixes of secrets that this repository generates for itself, in any file. */
const PUBLISHED_SECRETS = [
  /['"`]keybay sandbox /,
  /['"`]keybay-(?:google|sandbox)['"`]/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\\n]*[\w+/]{8}/,
]

/** Files that `npm start` runs, and that bring stand-ins to tests: each package has at most one file of each name. */
const SANDBOX_FILES = /(?:^|\/)(?:sandbox|stand-ins)\.[jt]s$/

/** Keys of `exports` that only tests and the sandbox import. */
const SANDBOX_EXPORTS = /^\.\/(?:sandbox|testing\/.*)$/

/** Workers and pages are referenced by URL. */
const ADDRESS = /\bnew URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g

/** @param {string} text */
function getReferences(text) {
  return [...getImports(text), ...[...text.matchAll(ADDRESS)].flatMap(match => match[1] ?? [])]
}

/** @param {string} path @returns {string | undefined} the source of a file, as built code or sources name it */
function sourceFile(path) {
  const stem = path.replace(/\.(?:d\.ts|[cm]?[jt]sx?)$/, '')
  return [path, ...['.ts', '.tsx', '.mjs', '.js'].map(ending => stem + ending), join(path, 'index.ts')].find(
    candidate => /\.(?:tsx?|mjs|js)$/.test(candidate) && existsSync(candidate),
  )
}

/** @param {unknown} entry one of `exports` @returns {string | undefined} the file that runs */
function getTarget(entry) {
  if (typeof entry === 'string') return entry
  if (typeof entry !== 'object' || entry === null) return undefined
  const { default: file, import: module } = /** @type {Record<string, unknown>} */ (entry)
  return getTarget(file ?? module)
}

/** @param {string} built @returns {string} where it was built from */
function unbuilt(built) {
  return built.replace(/^(?:\.\/)?dist\//, 'src/')
}

/** @param {Package} pkg @param {string} specifier @param {string} base */
function entryFile(pkg, specifier, base) {
  const key = specifier.replace(pkg.name, '.')
  const entries = Object.entries(pkg.manifest.exports ?? {})
  for (const [name, entry] of entries) {
    const target = getTarget(entry)
    if (target === undefined) continue
    if (name === key) return sourceFile(join(base, pkg.folder, unbuilt(target)))
    const [before = '', after] = name.split('*')
    if (after !== undefined && key.startsWith(before))
      return sourceFile(join(base, pkg.folder, unbuilt(target.replace('*', key.slice(before.length)))))
  }
  return undefined
}

/**
 * Returns the first import path from a file to a stand-in.
 * @param {string} start relative to the root
 * @param {{ base: string, all: readonly Package[] }} repository
 * @returns {readonly string[] | undefined} every file on the path
 */
function wayToStandIn(start, { base, all }) {
  const byName = new Map(all.map(pkg => [pkg.name, pkg]))
  /** @type {(readonly string[])[]} */
  const waiting = [[start]]
  const seen = new Set([start])
  for (const way of waiting) {
    const file = way.at(-1) ?? ''
    const text = readFileSync(join(base, file), 'utf8')
    const isStandIn = STAND_IN_PACKAGES.some(folder => file.startsWith(folder)) || SANDBOX_FILES.test(file)
    if (isStandIn || PUBLISHED_SECRETS.some(secret => secret.test(text))) return way
    for (const specifier of getReferences(text)) {
      const owner = byName.get(getPackage(specifier))
      const resolvedPath = specifier.startsWith('.')
        ? sourceFile(join(base, dirname(file), specifier))
        : owner && entryFile(owner, specifier, base)
      const next = resolvedPath?.slice(base.length + 1).replaceAll('\\', '/')
      if (next === undefined || seen.has(next)) continue
      seen.add(next)
      waiting.push([...way, next])
    }
  }
  return undefined
}

/** @param {string} folder @returns {readonly string[]} */
function sourcesIn(folder) {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name))
    : []
}

/** Matches a file that acts when it is run, not only when it is imported. */
const PROGRAM = /^(?:await |if \((?:process\.argv|import\.meta\.url))/m

/**
 * Returns the files that an operator or a developer starts from: every program of a service, and every public package
 * entry.
 * @param {Package} pkg
 * @param {string} base
 * @returns {readonly string[]} relative to the root
 */
export function getEntries(pkg, base = root) {
  const folder = join(base, pkg.folder)
  const programs = pkg.folder.startsWith('sandbox/')
    ? sourcesIn(join(folder, 'src')).filter(file => PROGRAM.test(readFileSync(file, 'utf8')))
    : []
  const scripts = Object.values(pkg.manifest.scripts ?? {}).flatMap(script => script.match(/\bdist\/\S+\.js/g) ?? [])
  const targets = Object.entries(pkg.manifest.exports ?? {})
    .filter(([name]) => !SANDBOX_EXPORTS.test(name) && !name.includes('*'))
    .flatMap(([, entry]) => getTarget(entry) ?? [])
  const files = [...scripts, ...targets].flatMap(built => sourceFile(join(folder, unbuilt(built))) ?? [])
  const all = [...programs, ...files].map(file => file.slice(base.length + 1).replaceAll('\\', '/'))
  return [...new Set(all)].filter(file => !SANDBOX_FILES.test(file)).sort()
}

/** Sandbox packages whose programs are all for developers. */
const DEVELOPER_PACKAGES = ['bench', 'create', 'testing', 'tools'].map(id => `sandbox/${id}`)

/**
 * @param {string} [base] another copy of the repository
 * @returns {readonly string[]} one sentence per entry that reaches a stand-in
 */
export function standInProblems(base = root) {
  const all = packages(base)
  const checked = all.filter(
    ({ folder }) => !DEVELOPER_PACKAGES.includes(folder) && !STAND_IN_PACKAGES.includes(`${folder}/`),
  )
  return checked
    .flatMap(pkg => getEntries(pkg, base))
    .flatMap(entry => {
      const way = wayToStandIn(entry, { base, all })
      return way ? [`${entry} reaches a stand-in: ${way.join(' → ')}`] : []
    })
}
