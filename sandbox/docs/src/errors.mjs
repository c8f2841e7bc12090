/** Writes the page of error codes from the declarations in the source and the tables in the Markdown pages. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '@keybay/sandbox-tools/repo'
import { parse, readAllSourceFiles, walk } from '@keybay/sandbox-tools/rules/source-files'

/** Path of the page in the repository: `KeybayError.docs` leads there. */
export const ERRORS_PAGE = 'kernel/ERRORS.md'

/** Packages whose errors reach an app. */
const SOURCES = /^(kernel|react|plugins\/[^/]+|sandbox\/api)\/src\//
/** Pages with a table whose first column names codes. */
const TABLES = /^(kernel|plugins\/[^/]+)\/README\.md$|^sandbox\/api\/ERRORS\.md$/
const DECLARING = ['errorSpec', 'own']
/** The comment of the constant that a declaration begins. */
const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const [^=]*=\s*(?:\/\* @__PURE__ \*\/\s*)?$/

const CORRECT = 'Correct the call or the setting that the message names.'
/** Advice for codes that no table explains, by the package that declares them. */
/** @type {Readonly<Record<string, string>>} */
const OTHERWISE = {
  'plugins/waas': 'Try again. If it fails again, report the code and the version of the packages.',
  'sandbox/api': 'Change the request as the message says. The API’s OpenAPI document lists the errors of each route.',
}

/**
 * @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node
 * @typedef {{ code: string, message: string, packages: Set<string>, advice: Set<string> }} DocumentedError
 */

/** @param {string} folder @returns {string} how the page, which is part of the kernel's package, names it */
function nameOf(folder) {
  return folder === 'sandbox/api' ? 'the product API' : `\`@keybay/${basename(folder)}\``
}

/** @param {Node} node @returns {readonly unknown[]} the code and the message that the node declares */
function getDeclaration(node) {
  if (node.type === 'CallExpression' && DECLARING.includes(node.callee.name))
    return node.arguments.slice(0, 2).map((/** @type {Node} */ argument) => argument.value)
  if (node.type !== 'ObjectExpression') return []
  // A spec holds its code; a shape (`{ code: 'string' }`) holds a type.
  return ['code', 'message'].map(
    name => node.properties.find((/** @type {Node} */ property) => property.key?.name === name)?.value.value,
  )
}

/** @param {string} before the source before a declaration @returns {string} its comment, without rows of the specification */
function getComment(before) {
  const [, text = ''] = COMMENT.exec(before.slice(-600)) ?? []
  return text
    .replace(/\s*\n\s*\*?\s*/g, ' ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s*\(?\bS\d+(?:\.\d+)?\)?:?/g, '')
    .trim()
}

/** @param {string} text @returns {readonly (readonly [code: string, advice: string])[]} */
function readTables(text) {
  /** @type {readonly string[]} */
  let headings = []
  return text.split('\n').flatMap(line => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim())
    if (cells[0] === 'code') headings = cells
    if (cells.length === 0) headings = []
    const advice = cells.flatMap((cell, index) => (index > 0 && cell ? `${headings[index]}: ${cell}` : [])).join('. ')
    return headings.length === 0
      ? []
      : [...(cells[0] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, advice])
  })
}

/** @returns {ReadonlyMap<string, DocumentedError>} every error code that an app can meet, in order */
export function collectErrors() {
  /** @type {Map<string, DocumentedError>} */
  const errors = new Map()
  const files = readAllSourceFiles().filter(({ path, isCode, isTest }) => isCode && !isTest && SOURCES.test(path))
  for (const file of files)
    walk(parse(file), node => {
      const [code, message] = getDeclaration(node)
      if (typeof code !== 'string' || typeof message !== 'string' || code === message) return
      const error = errors.get(code) ?? { code, message, packages: new Set(), advice: new Set() }
      error.packages.add(file.path.split('/src/')[0] ?? '')
      const comment = getComment(file.text.slice(0, node.start))
      if (comment) error.advice.add(comment)
      errors.set(code, error)
    })
  for (const { path, text } of readAllSourceFiles().filter(({ path }) => TABLES.test(path)))
    for (const [code, advice] of readTables(text)) errors.get(code)?.advice.add(`${nameOf(dirname(path))}: ${advice}`)
  return new Map([...errors].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @returns {string} the page, with a heading per code */
export function errorsPage() {
  const sections = [...collectErrors().values()].map(({ code, message, packages, advice }) => {
    const lines = advice.size > 0 ? [...advice] : [...packages].map(folder => OTHERWISE[folder] ?? CORRECT)
    const declared = [...packages].map(nameOf).join(', ')
    return `## ${code}\n\n“${message}”\n\n${lines.map(line => `- ${line}\n`).join('')}\nDeclared in ${declared}.`
  })
  return `# Error codes

Every error of Keybay is a \`KeybayError\` with a stable \`code\`; its \`docs\` property is the path of this page in \`node_modules\`, with the code as its anchor.
Made by \`npm run docs\` from the source and the tables of the READMEs.

${sections.join('\n\n')}
`
}

/** @returns {string} the page in the repository */
export function readErrorsPage() {
  return readFileSync(join(root, ERRORS_PAGE), 'utf8')
}
