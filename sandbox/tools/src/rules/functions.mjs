/** Requires top-level functions to be declarations, and limits the length of functions. */
import { lineAt, parse, walk } from './source-files.mjs'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

export const MAX_LINES = 100

/** @param {unknown} node @returns {boolean} */
function isFunction(node) {
  return (
    typeof node === 'object' && node !== null && /Function(Expression|Declaration)$/.test(Reflect.get(node, 'type'))
  )
}

/** Groups of tests are lists, not functions. @param {unknown} parent */
function isTestGroup(parent) {
  if (Reflect.get(Object(parent), 'type') !== 'CallExpression') return false
  let callee = Reflect.get(Object(parent), 'callee')
  while (callee && callee.type !== 'Identifier') callee = callee.object ?? callee.callee ?? callee.tag
  return /^describe/.test(callee?.name ?? '')
}

/** @param {readonly SourceFile[]} files @returns {readonly string[]} */
export function longFunctions(files) {
  return files
    .filter(({ isCode }) => isCode)
    .flatMap(file => {
      /** @type {string[]} */
      const problems = []
      walk(parse(file).body, (node, parent) => {
        if (!/Function(Expression|Declaration)$/.test(node.type) || isTestGroup(parent)) return
        const first = lineAt(file.text, node.start)
        const length = lineAt(file.text, node.end) - first + 1
        if (length > MAX_LINES)
          problems.push(`${file.path}:${first}: a function of ${length} lines (at most ${MAX_LINES})`)
      })
      return problems
    })
}

/**
 * Finds functions in top-level constants. A constant with an explicit type may hold one: a declaration cannot name that
 * type.
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]}
 */
export function functionsInConstants(files) {
  return files
    .filter(({ isCode }) => isCode)
    .flatMap(file =>
      parse(file).body.flatMap(statement => {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return []
        return declaration.declarations
          .filter(({ id, init }) => isFunction(init) && id.type === 'Identifier' && !id.typeAnnotation)
          .filter(
            ({ start }) =>
              !/\*\/\s*(export\s+)?const\s+$/.test(file.text.slice(0, start)) || !isTyped(file.text, start),
          )
          .map(({ start }) => `${file.path}:${lineAt(file.text, start)}: write it as a function declaration`)
      }),
    )
}

/** In JavaScript a comment names the type. @param {string} text @param {number} end */
function isTyped(text, end) {
  return text.slice(text.lastIndexOf('/**', end), end).includes('@type')
}
