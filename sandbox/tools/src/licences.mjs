/** Checks the licences of all installed packages, and of those that a host installs with our packages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packages, readJson, root } from './repo.mjs'

/**
 * @typedef {Pick<import('./repo.mjs').Manifest, 'dependencies' | 'peerDependencies' | 'optionalDependencies' | 'license'>} Needs
 * @typedef {{ link?: boolean, hasInstallScript?: boolean, engines?: { node?: string } }} Installed
 * @typedef {{ peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>> }} Peers
 * @typedef {Needs & Installed & Peers} Entry A package in package-lock.json.
 */

const allowed = ['Apache-2.0', 'MIT', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD']

/** @typedef {readonly [name: string, licence: string, reason: string]} Exception */

/** Allowed only while no published package brings them to a host. @type {readonly Exception[]} */
const IN_DEVELOPMENT = [
  ['axe-core', 'MPL-2.0', 'checks pages in tests; never shipped'],
  ['lightningcss', 'MPL-2.0', 'part of Vite; never shipped'],
  ['argparse', 'Python-2.0', 'reads YAML inside changesets; permissive'],
  ['graceful-fs', 'BlueOak-1.0.0', 'inside changesets; permissive'],
  ['lru-cache', 'BlueOak-1.0.0', 'inside attw; permissive'],
  ['spawndamnit', 'SEE LICENSE IN LICENSE', 'inside changesets; its LICENSE is MIT'],
  [
    'fastestsmallesttextencoderdecoder',
    'CC0-1.0',
    'inside @solana/kit, which only the tests of the chain use; public domain',
  ],
  ['minimatch', 'BlueOak-1.0.0', 'inside TypeDoc; permissive'],
  ['@iconify-json/simple-icons', 'CC0-1.0', 'inside VitePress; public domain'],
  ['nodemailer', 'MIT-0', 'sends the sandbox’s mail; MIT without its condition'],
  ['smtp-server', 'MIT-0', 'the sandbox’s inbox; MIT without its condition'],
  ['postal-mime', 'MIT-0', 'reads mail in the sandbox’s inbox; as above'],
  ['jackspeak', 'BlueOak-1.0.0', 'inside Google’s Drive client; permissive'],
  ['minipass', 'BlueOak-1.0.0', 'inside Google’s Drive client; permissive'],
  ['package-json-from-dist', 'BlueOak-1.0.0', 'inside Google’s Drive client; permissive'],
  ['path-scurry', 'BlueOak-1.0.0', 'inside Google’s Drive client; permissive'],
  ['url-template', 'BSD', 'its LICENSE is BSD-3-Clause; inside Google’s Drive client'],
  ['@fontsource-variable/noto-sans-arabic', 'OFL-1.1', 'draws the text of the catalogue’s pictures; never shipped'],
  ['postgres', 'Unlicense', 'the sandbox’s PostgreSQL client; public domain'],
]

/** @type {readonly Exception[]} */
const PUBLISHED = [
  ['tweetnacl', 'Unlicense', 'public domain; named by the design'],
  [
    'text-encoding-utf-8',
    'none given',
    'inside borsh of @solana/web3.js 1; its LICENSE.md dedicates it to the public domain',
  ],
  ['eyes', 'none given', 'inside jayson of @solana/web3.js 1; its LICENSE is MIT'],
  [
    'rpc-websockets',
    'LGPL-3.0-only',
    'a dependency of @solana/web3.js 1, which a Solana host installs anyway; used unchanged, as a module of its own',
  ],
]

/** @type {Readonly<Record<string, { licence: string, isPublished: boolean, reason: string }>>} */
export const exceptions = Object.fromEntries(
  [...IN_DEVELOPMENT, ...PUBLISHED].map(exception => {
    const [name, licence, reason] = exception
    return [name, { licence, reason, isPublished: PUBLISHED.includes(exception) }]
  }),
)

/** @param {string} [base] @returns {Readonly<Record<string, Entry>>} */
export function lockedPackages(base = root) {
  return readJson(join(base, 'package-lock.json')).packages
}

/** `node_modules/a/node_modules/@b/c` → `@b/c` @param {string} path */
export function getName(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * Returns the paths of all packages that a host installs with ours: dependencies and required peers, not optional ones.
 * @param {Readonly<Record<string, Entry>>} locked
 * @param {readonly string[]} folders folders of the published packages
 * @returns {ReadonlySet<string>}
 */
export function shippedPaths(locked, folders) {
  /** @type {Set<string>} */
  const paths = new Set()
  /** @param {string} from @param {string} name */
  const resolve = (from, name) => {
    for (let at = from; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
      const path = `${at ? `${at}/` : ''}node_modules/${name}`
      if (locked[path]) return path
      if (!at) return undefined
    }
  }
  /** @param {string} path */
  const visit = path => {
    const entry = locked[path]
    const {
      dependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
      optionalDependencies = {},
    } = entry ?? {}
    const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta[name]?.optional)
    const needed = [...Object.keys(dependencies), ...peers].filter(name => !optionalDependencies[name])
    for (const name of needed) {
      const next = resolve(path, name)
      if (!next || paths.has(next) || locked[next]?.link) continue
      paths.add(next)
      visit(next)
    }
  }
  for (const folder of folders) visit(folder)
  return paths
}

/** The packages of this repository that a host can install. @param {string} [base] */
export function publishedFolders(base = root) {
  return packages(base).flatMap(pkg => (pkg.published ? [pkg.folder] : []))
}

/** `(MIT OR GPL-3.0)` is allowed, `MIT AND GPL-3.0` is not. @param {string} licence */
export function isAllowed(licence) {
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(part => allowed.includes(part.trim())))
}

/** @param {string} [base] @returns {readonly string[]} one sentence per package that is not allowed */
export function licenceProblems(base = root) {
  const locked = lockedPackages(base)
  const shipped = shippedPaths(locked, publishedFolders(base))
  return Object.entries(locked).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return []
    const manifest = join(base, path, 'package.json')
    // Optional packages for other systems are not installed, so their licence comes from the lockfile.
    const licence = entry.license ?? (existsSync(manifest) ? readJson(manifest).license : undefined) ?? 'none given'
    if (isAllowed(licence)) return []
    const name = getName(path).replace(/^(lightningcss)-.*/, '$1')
    const exception = exceptions[name]
    if (exception && exception.licence === licence && (exception.isPublished || !shipped.has(path))) return []
    return [`${path} is under “${licence}”: choose another package, or add a reasoned exception in licences.mjs`]
  })
}
