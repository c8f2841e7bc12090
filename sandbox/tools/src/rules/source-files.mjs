/** Reads the repository's own source files, parsed once for all rules. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSync } from 'vite'
import { packages, root } from '../repo.mjs'

const CODE = /\.(ts|tsx|mts|mjs|js|jsx)$/
const PROSE = /\.(md|html|css)$/
const NOT_OURS = /(^|\/)(node_modules|dist|results|migrations|vectors|\.[^/]+)(\/|$)/

/**
 * @typedef {import('../repo.mjs').Package} Package
 * @typedef {import('vite').ESTree.Program} Program
 *
 * @typedef {object} SourceFile
 * @property {string} path from the root, with forward slashes
 * @property {string} text
 * @property {boolean} isCode
 * @property {boolean} isTest
 */

/** @param {string} folder @param {string} base @returns {readonly SourceFile[]} */
export function readSourceFiles(folder, base = root) {
  return readFiles(readdirSync(join(base, folder), { recursive: true, withFileTypes: true }), base)
}

/** @param {readonly import('node:fs').Dirent[]} entries @param {string} base @returns {readonly SourceFile[]} */
function readFiles(entries, base) {
  return entries
    .filter(entry => entry.isFile() && (CODE.test(entry.name) || PROSE.test(entry.name)))
    .map(entry => relative(base, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => !NOT_OURS.test(path))
    .sort()
    .map(path => ({
      path,
      text: readFileSync(join(base, path), 'utf8'),
      isCode: CODE.test(path),
      isTest: /(^|\/)test\//.test(path) || /\.test\.tsx?$/.test(path),
    }))
}

/** @param {string} base @returns {readonly SourceFile[]} of every package and of the root folder, each file once */
export function readAllSourceFiles(base = root) {
  const ofRoot = readFiles(readdirSync(base, { withFileTypes: true }), base)
  return [...ofRoot, ...packages(base).flatMap(({ folder }) => readSourceFiles(folder, base))]
}

/** @type {Map<string, Program>} */
const parsed = new Map()

/** @param {SourceFile} file @returns {Program} */
export function parse({ path, text }) {
  const key = `${path}\n${text}`
  const known = parsed.get(key)
  if (known) return known
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  parsed.set(key, program)
  return program
}

/** @param {string} text @param {number} offset @returns {number} counted from 1 */
export function lineAt(text, offset) {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/**
 * Calls `visit` for every node below a node.
 * @param {unknown} node
 * @param {(node: { type: string, start: number, end: number, [field: string]: unknown }, parent: unknown) => void} visit
 * @param {unknown} [parent]
 */
export function walk(node, visit, parent) {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit, parent)
    return
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return
  visit(/** @type {Parameters<typeof visit>[0]} */ (node), parent)
  for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit, node)
}
