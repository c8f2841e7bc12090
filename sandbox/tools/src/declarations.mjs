/** Reads the built declaration files: what a module declares, imports and exports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { walk } from './rules/source-files.mjs'

/**
 * @typedef {{ text: string, names: ReadonlySet<string> }} Declaration `names`: every identifier in it
 * @typedef {{ from: string, name: string }} Reference a name of another module; `*` for the whole of it
 *
 * @typedef {object} Declarations
 * @property {string} file
 * @property {ReadonlyMap<string, readonly Declaration[]>} declared several for overloads and merged interfaces
 * @property {ReadonlyMap<string, Reference>} imported
 * @property {ReadonlyMap<string, string | Reference>} exported a local name, or one of another module
 * @property {readonly string[]} stars modules of `export *`
 * @property {readonly Declaration[]} blocks `declare module` and `declare global`
 * @property {readonly string[]} modules everything that it imports, in order
 */

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */

/** @param {unknown} name of an import or export, which may be quoted */
function nameOf(name) {
  const { name: identifier, value } = Object(name)
  return String(identifier ?? value)
}

/** @param {Node} statement @returns {readonly string[]} the names that a declaration declares */
function declaredNames(statement) {
  if (statement.type !== 'VariableDeclaration') return statement.id ? [nameOf(statement.id)] : []
  return statement.declarations.map((/** @type {Node} */ { id }) => nameOf(id))
}

/** @param {string} file @returns {(node: Node) => string} prints a node without its comments */
function createPrinter(file) {
  const text = readFileSync(file, 'utf8')
  const { comments } = parseSync(file, text)
  return ({ start, end }) => {
    let at = start
    let printed = ''
    for (const comment of comments.filter(comment => comment.start >= start && comment.end <= end)) {
      printed += text.slice(at, comment.start)
      at = comment.end
    }
    return (printed + text.slice(at, end)).replace(/[ \t]+$/gm, '').replace(/\n{2,}/g, '\n')
  }
}

/** @param {Node} node @returns {ReadonlySet<string>} */
function identifiersIn(node) {
  /** @type {Set<string>} */
  const names = new Set()
  walk(node, ({ type, name }) => {
    if (type === 'Identifier') names.add(String(name))
  })
  return names
}

/** @param {string} file @returns {Declarations} */
export function readDeclarations(file) {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const print = createPrinter(file)
  /** @type {Map<string, Declaration[]>} */
  const declared = new Map()
  /** @type {Map<string, Reference>} */
  const imported = new Map()
  /** @type {Map<string, string | Reference>} */
  const exported = new Map()
  /** @type {Declaration[]} */
  const blocks = []
  /** @type {string[]} */
  const stars = []
  /** @type {string[]} */
  const modules = []
  /** @param {Node} node @returns {Declaration} */
  const toDeclaration = node => ({ text: print(node), names: identifiersIn(node) })
  for (const statement of /** @type {readonly Node[]} */ (program.body)) {
    const from = statement.source?.value
    if (from !== undefined) modules.push(from)
    if (statement.type === 'ImportDeclaration')
      for (const { type, local, imported: name } of statement.specifiers)
        imported.set(nameOf(local), { from, name: type === 'ImportSpecifier' ? nameOf(name) : '*' })
    else if (statement.type === 'ExportAllDeclaration')
      statement.exported ? exported.set(nameOf(statement.exported), { from, name: '*' }) : stars.push(from)
    else if (statement.type === 'TSModuleDeclaration' || statement.type === 'TSGlobalDeclaration')
      blocks.push(toDeclaration(statement))
    else {
      const declaration = statement.declaration ?? (statement.type === 'ExportNamedDeclaration' ? undefined : statement)
      for (const name of declaration ? declaredNames(declaration) : []) {
        declared.set(name, [...(declared.get(name) ?? []), toDeclaration(declaration)])
        if (declaration !== statement) exported.set(name, name)
      }
      for (const { local, exported: name } of statement.specifiers ?? [])
        exported.set(nameOf(name), from === undefined ? nameOf(local) : { from, name: nameOf(local) })
    }
  }
  return { file, declared, imported, exported, stars, blocks, modules }
}

/** @param {string} file @param {string} specifier @returns {string | undefined} undefined for another package */
export function resolveDeclarations(file, specifier) {
  if (!specifier.startsWith('.')) return undefined
  const path = join(dirname(file), specifier).replace(/\.(m?)js$/, '.d.$1ts')
  if (!existsSync(path)) throw new Error(`${file} imports ${specifier}, which is not built`)
  return path
}
