/**
 * Checks the dependency rule: which package may import which. Enforced by `npm run check` and a test.
 *
 * The kernel imports no plugin and no React; a plugin imports the kernel, and another plugin's public entry only if it
 * builds on that plugin; react imports only the kernel, and a plugin's hooks live in its `src/react/`, its views in `src/ui/`; the sandbox may
 * import all.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { packages, root } from './repo.mjs'

/**
 * @typedef {import('./repo.mjs').Package} Package
 * @typedef {{ file: string, specifier: string }} Import `file` from the root, with forward slashes.
 */

/** Entries of other plugins that a plugin may import. Add a line only for a plugin that really builds on the other. */
/** @type {Readonly<Record<string, readonly string[]>>} */
const builtOn = {
  'one-time-code': ['@keybay/account'],
  passkey: ['@keybay/account'],
  social: ['@keybay/account'],
  solana: ['@keybay/account'],
  turnkey: ['@keybay/account', '@keybay/waas/protocol', '@keybay/solana'],
  waas: ['@keybay/account', '@keybay/solana'],
  'deep-link': ['@keybay/solana'],
  'mobile-wallet': ['@keybay/solana', '@keybay/deep-link/vault'],
}

/** Packages that a published package bundles, with their licences, instead of declaring them. */
/** @type {Readonly<Record<string, readonly string[]>>} */
const bundled = {
  kernel: ['eventemitter3'],
  'mobile-wallet': ['@solana-mobile/wallet-adapter-mobile', '@solana-mobile/mobile-wallet-adapter-protocol'],
  wallet: ['@keybay/sandbox-wallets'],
  'wallet-standard': ['@wallet-standard/app'],
}

const source = /\.(ts|tsx|mts|mjs|js)$/

/** @param {string} folder @returns {readonly string[]} */
function getFiles(folder) {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && source.test(entry.name) && !entry.parentPath.includes('node_modules'))
        .map(entry => join(entry.parentPath, entry.name))
        .sort()
    : []
}

/**
 * Returns every module that the text imports, types included. Ignores comments, because their examples contain imports
 * too.
 * @param {string} text
 * @returns {readonly string[]}
 */
export function getImports(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const patterns = [
    // A statement starts its line; inside a string or as a property, the word means something else.
    /^\s*(?:import|export)\b[^'"`;=]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\b(?:import|require|import\.meta\.resolve)\(\s*['"]([^'"]+)['"]/g,
  ]
  return patterns.flatMap(pattern => [...code.matchAll(pattern)].flatMap(match => match[1] ?? []))
}

/** @param {string} specifier */
export function getPackage(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** @param {Package} pkg @param {string} base @param {string} part @returns {readonly Import[]} */
function readImports(pkg, base, part) {
  return getFiles(join(base, pkg.folder, part)).flatMap(path => {
    const file = posix.join(pkg.folder, path.slice(join(base, pkg.folder).length + 1).replaceAll('\\', '/'))
    return getImports(readFileSync(path, 'utf8')).map(specifier => ({ file, specifier }))
  })
}

/** @param {string} name */
function isReact(name) {
  return name === 'react' || name === 'react-dom'
}

/** @param {Package} pkg @param {Import} imported @returns {string | undefined} the problem, given the package's layer */
function layerProblem(pkg, { file, specifier }) {
  const name = getPackage(specifier)
  const [top] = pkg.folder.split('/')
  if (top === 'sandbox' || name === pkg.name) return undefined
  if (name.startsWith('@keybay/sandbox-')) return 'nothing outside of sandbox/ may import it'
  if (top === 'kernel') {
    if (isReact(name)) return 'the kernel knows nothing of React'
    return name.startsWith('@keybay/') ? 'the kernel imports no other Keybay package' : undefined
  }
  if (name === '@keybay/kernel' || !(name.startsWith('@keybay/') || isReact(name))) return undefined
  if (top === 'react') return isReact(name) ? undefined : 'react imports the kernel alone'
  if (isReact(name) || name === '@keybay/react')
    return /^src\/(react|ui)\//.test(file.slice(pkg.folder.length + 1))
      ? undefined
      : 'in a plugin only src/react/ and src/ui/ may import React'
  return (builtOn[pkg.id] ?? []).includes(specifier.replace(/\/(react|ui)$/, ''))
    ? undefined
    : `${pkg.id} is not built on it (see builtOn in sandbox/tools/src/imports.mjs)`
}

/** @param {Package} pkg @param {Import} imported @param {ReadonlyMap<string, Package>} byName */
function entryProblem(pkg, { file, specifier }, byName) {
  if (specifier.startsWith('.')) {
    const target = posix.join(dirname(file), specifier)
    return target.startsWith(`${pkg.folder}/`) ? undefined : 'a relative import must not leave its package'
  }
  const owner = byName.get(getPackage(specifier))
  if (!owner) return undefined
  const entry = specifier.replace(owner.name, '.')
  const entries = Object.keys(owner.manifest.exports ?? {})
  const isPublic = entries.some(key => key === entry || (key.endsWith('*') && entry.startsWith(key.slice(0, -1))))
  return isPublic ? undefined : `${owner.name} does not export it`
}

/** @param {Package} pkg @param {Import} imported */
function declaredProblem(pkg, { specifier }) {
  const name = getPackage(specifier)
  if (specifier.startsWith('.') || specifier.startsWith('node:') || name === pkg.name) return undefined
  if (bundled[pkg.id]?.includes(name)) return undefined
  const { dependencies, peerDependencies } = pkg.manifest
  return { ...dependencies, ...peerDependencies }[name] ? undefined : 'a published package must declare what it imports'
}

/**
 * @param {string} [base] another copy of the repository
 * @returns {readonly string[]} one sentence per import that breaks the rule
 */
export function dependencyProblems(base = root) {
  const all = packages(base)
  const byName = new Map(all.map(pkg => [pkg.name, pkg]))
  return all.flatMap(pkg =>
    ['src', 'test']
      .flatMap(part => readImports(pkg, base, part).map(imported => ({ part, imported })))
      .flatMap(({ part, imported }) => {
        const problem =
          entryProblem(pkg, imported, byName) ??
          (part === 'test' ? undefined : layerProblem(pkg, imported)) ??
          (part === 'src' && pkg.published ? declaredProblem(pkg, imported) : undefined)
        return problem ? [`${imported.file} imports ${imported.specifier}: ${problem}`] : []
      }),
  )
}
