/** Checks the licences of all installed packages, and of those that a host installs with our packages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packages, readJson, root } from './repo.mjs'

/**
 * @typedef {object} Entry A package in package-lock.json.
 * @property {string} [version]
 * @property {string} [license]
 * @property {boolean} [link]
 * @property {boolean} [hasInstallScript]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, { optional?: boolean }>>} [peerDependenciesMeta]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 */

const allowed = ['Apache-2.0', 'MIT', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD']

/**
 * By name; `where: 'development'` holds only while no published package brings it to a host.
 * @type {Readonly<Record<string, { licence: string, where: 'development' | 'published', reason: string }>>}
 */
export const exceptions = {
  'axe-core': { licence: 'MPL-2.0', where: 'development', reason: 'checks pages in tests; never shipped' },
  lightningcss: { licence: 'MPL-2.0', where: 'development', reason: 'part of Vite; never shipped' },
  argparse: { licence: 'Python-2.0', where: 'development', reason: 'reads YAML inside changesets; permissive' },
  'graceful-fs': { licence: 'BlueOak-1.0.0', where: 'development', reason: 'inside changesets; permissive' },
  'lru-cache': { licence: 'BlueOak-1.0.0', where: 'development', reason: 'inside attw; permissive' },
  spawndamnit: {
    licence: 'SEE LICENSE IN LICENSE',
    where: 'development',
    reason: 'inside changesets; its LICENSE is MIT',
  },
  fastestsmallesttextencoderdecoder: {
    licence: 'CC0-1.0',
    where: 'development',
    reason: 'inside @solana/kit, which only the tests of the chain use; public domain',
  },
  nodemailer: { licence: 'MIT-0', where: 'development', reason: 'sends the sandbox’s mail; MIT without its condition' },
  'smtp-server': { licence: 'MIT-0', where: 'development', reason: 'the sandbox’s inbox; MIT without its condition' },
  'postal-mime': { licence: 'MIT-0', where: 'development', reason: 'reads mail in the sandbox’s inbox; as above' },
  jackspeak: { licence: 'BlueOak-1.0.0', where: 'development', reason: 'inside Google’s Drive client; permissive' },
  minipass: { licence: 'BlueOak-1.0.0', where: 'development', reason: 'inside Google’s Drive client; permissive' },
  'package-json-from-dist': {
    licence: 'BlueOak-1.0.0',
    where: 'development',
    reason: 'inside Google’s Drive client; permissive',
  },
  'path-scurry': { licence: 'BlueOak-1.0.0', where: 'development', reason: 'inside Google’s Drive client; permissive' },
  'url-template': {
    licence: 'BSD',
    where: 'development',
    reason: 'its LICENSE is BSD-3-Clause; inside Google’s Drive client',
  },
  postgres: { licence: 'Unlicense', where: 'development', reason: 'the sandbox’s PostgreSQL client; public domain' },
  tweetnacl: { licence: 'Unlicense', where: 'published', reason: 'public domain; named by the design' },
  'text-encoding-utf-8': {
    licence: 'none given',
    where: 'published',
    reason: 'inside borsh of @solana/web3.js 1; its LICENSE.md dedicates it to the public domain',
  },
  eyes: { licence: 'none given', where: 'published', reason: 'inside jayson of @solana/web3.js 1; its LICENSE is MIT' },
  'rpc-websockets': {
    licence: 'LGPL-3.0-only',
    where: 'published',
    reason:
      'a dependency of @solana/web3.js 1, which a Solana host installs anyway; used unchanged, as a module of its own',
  },
}

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
  const found = new Set()
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
      if (!next || found.has(next) || locked[next]?.link) continue
      found.add(next)
      visit(next)
    }
  }
  for (const folder of folders) visit(folder)
  return found
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

/**
 * @param {string} [base]
 * @returns {readonly string[]} one sentence per package that is not allowed
 */
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
    if (exception && exception.licence === licence && (exception.where === 'published' || !shipped.has(path))) return []
    return [`${path} is under “${licence}”: choose another package, or add a reasoned exception in licences.mjs`]
  })
}
