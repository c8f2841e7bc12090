/** Measures what a user downloads. */
import { sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { minifySync } from 'vite'
import { buildChunks } from './bundle.mjs'
import { prepare } from './peers.mjs'
import { sum } from './stats.mjs'

/**
 * @typedef {import('./bundle.mjs').Chunk} Chunk
 *
 * @typedef {object} Part
 * @property {string} name A package, or a file of one.
 * @property {number} bytes Gzip bytes: its minified code's share of the chunk.
 *
 * @typedef {object} Size
 * @property {number} initial Gzip bytes of the entry's chunk and all it imports statically.
 * @property {number} total Gzip bytes with the lazy chunks.
 * @property {readonly Part[]} packages Of `initial`, largest first; empty for a peer.
 * @property {readonly Part[]} files The same by file.
 */

export const KiB = 1024

/** @param {string} code */
export function gzipBytes(code) {
  return gzipSync(code, { level: 9 }).length
}

/**
 * @template {Pick<Chunk, 'fileName' | 'imports' | 'isEntry'>} C
 * @param {readonly C[]} chunks
 * @returns {readonly C[]} the entry and everything reachable from it by static imports
 */
export function initialChunks(chunks) {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  /** @type {Set<C>} */
  const reached = new Set()
  const visit = (/** @type {C | undefined} */ chunk) => {
    if (!chunk || reached.has(chunk)) return
    reached.add(chunk)
    for (const name of chunk.imports) visit(byName.get(name))
  }
  visit(chunks.find(chunk => chunk.isEntry))
  return [...reached]
}

/** @param {string} id a module's path */
function getPackage(id) {
  if (id.startsWith('\0')) return 'the bundler'
  const path = id.split(sep).join('/')
  const installed = path.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]
  if (installed) return installed
  const ours = path.match(/\/(kernel|react|plugins\/[^/]+)\/dist\//)?.[1]
  return ours ? `@keybay/${ours.replace('plugins/', '')}` : 'entry'
}

/** Minified lengths by code, because most entries share their modules. @type {Map<string, number>} */
const minifiedLengths = new Map()

/** @param {string} id a module's path @param {string} code */
function getMinifiedLength(id, code) {
  const known = minifiedLengths.get(code)
  if (known !== undefined) return known
  // Without the modules that use it, all code of this module would count as unused.
  const { code: small, errors } = minifySync(id, code, { module: true, compress: { unused: false } })
  if (errors[0]) throw new Error(`${id}: ${errors[0].message}`)
  minifiedLengths.set(code, small.length)
  return small.length
}

/**
 * Splits the gzip size by minified length, because gzip compresses the whole.
 * @param {readonly Chunk[]} chunks
 * @param {(id: string) => string} getName
 * @returns {readonly Part[]}
 */
function getParts(chunks, getName) {
  const gzip = sum(chunks.map(({ code }) => gzipBytes(code)))
  /** @type {Map<string, number>} */
  const minified = new Map()
  for (const [id, { code }] of chunks.flatMap(({ modules }) => Object.entries(modules))) {
    if (!code) continue
    const name = getName(id)
    minified.set(name, (minified.get(name) ?? 0) + getMinifiedLength(id, code))
  }
  const all = sum([...minified.values()])
  return [...minified]
    .map(([name, length]) => ({ name, bytes: Math.round((gzip * length) / all) }))
    .sort((a, b) => b.bytes - a.bytes)
}

/** @param {readonly Chunk[]} chunks @param {boolean} isPeer @returns {Size} */
function getSize(chunks, isPeer) {
  const initial = initialChunks(chunks)
  // Nothing reports the parts of a peer, and to minify its modules takes most of the time.
  const measured = isPeer ? [] : initial
  return {
    initial: sum(initial.map(({ code }) => gzipBytes(code))),
    total: sum(chunks.map(({ code }) => gzipBytes(code))),
    packages: getParts(measured, getPackage),
    files: getParts(measured, id => `${getPackage(id)} ${id.split(sep).slice(-1)}`),
  }
}

/**
 * @param {readonly import('./entries.mjs').Entry[]} entries
 * @returns {Promise<ReadonlyMap<string, Size>>} by entry name
 */
export async function measureSizes(entries) {
  /** @type {Map<string, Size>} */
  const sizes = new Map()
  for (const entry of entries) {
    const prepared = await prepare(entry)
    sizes.set(entry.name, getSize(await buildChunks(prepared), prepared.installed !== undefined))
  }
  return sizes
}
