/**
 * Forbids cycles between the entries of a folder, files and folders alike: if `http` imports `routes`, nothing in
 * `routes` imports `http`. Type imports do not count, because they do not exist at run time.
 */
import { posix } from 'node:path'
import { parse } from './source-files.mjs'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

/** @param {SourceFile} file @returns {readonly string[]} modules imported at run time */
export function valueImports(file) {
  return parse(file).body.flatMap(statement => {
    const isImport = statement.type === 'ImportDeclaration'
    if (!isImport && statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportAllDeclaration') return []
    if (!statement.source || (isImport ? statement.importKind : statement.exportKind) === 'type') return []
    const specifiers = 'specifiers' in statement ? statement.specifiers : []
    const onlyTypes =
      specifiers.length > 0 &&
      specifiers.every(
        specifier =>
          ('importKind' in specifier ? specifier.importKind : Reflect.get(specifier, 'exportKind')) === 'type',
      )
    return onlyTypes ? [] : [statement.source.value]
  })
}

/** @typedef {Map<string, Map<string, string>>} Graph entry of a folder → entries that it imports, each with one such import */

/**
 * Builds a graph of the entries (files and folders) of each folder of a package.
 * @param {string} folder folder of the package
 * @param {readonly SourceFile[]} files
 * @returns {ReadonlyMap<string, Graph>}
 */
function entryGraphs(folder, files) {
  /** @type {Map<string, Graph>} */
  const graphs = new Map()
  const ours = files.filter(({ path, isCode, isTest }) => isCode && !isTest && path.startsWith(`${folder}/src/`))
  for (const file of ours)
    for (const specifier of valueImports(file).filter(specifier => specifier.startsWith('.'))) {
      const from = file.path.split('/')
      const to = posix
        .join(posix.dirname(file.path), specifier)
        .replace(/\.[jt]sx?$/, '')
        .split('/')
      const depth = from.findIndex((part, index) => part !== to[index])
      const [parent, source, target] = [from.slice(0, depth).join('/'), from[depth] ?? '', to[depth] ?? '']
      const name = source.replace(/\.[jt]sx?$/, '')
      if (name === target) continue
      const graph = graphs.get(parent) ?? new Map()
      graphs.set(parent, graph)
      const targets = graph.get(name) ?? new Map()
      graph.set(name, targets)
      if (!targets.has(target)) targets.set(target, `${file.path} imports ${specifier}`)
    }
  return graphs
}

/**
 * Returns groups of nodes that reach each other (Tarjan).
 * @param {ReadonlyMap<string, ReadonlySet<string> | ReadonlyMap<string, unknown>>} graph
 * @returns {readonly (readonly string[])[]}
 */
export function findCycles(graph) {
  let count = 0
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const states = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const cycles = []
  /** @param {string} name */
  const visit = name => {
    const state = { index: count, low: count, open: true }
    count++
    states.set(name, state)
    stack.push(name)
    for (const next of graph.get(name)?.keys() ?? []) {
      const other = states.get(next) ?? visit(next)
      if (other.open) state.low = Math.min(state.low, other.low)
    }
    if (state.low === state.index) {
      const group = stack.splice(stack.indexOf(name))
      for (const member of group) {
        const memberState = states.get(member)
        if (memberState) memberState.open = false
      }
      if (group.length > 1) cycles.push(group)
    }
    return state
  }
  for (const name of graph.keys()) if (!states.has(name)) visit(name)
  return cycles
}

/**
 * @param {readonly string[]} folders folders of the packages
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]} one sentence per cycle, with the imports that close it
 */
export function folderCycles(folders, files) {
  return folders.flatMap(folder =>
    [...entryGraphs(folder, files)].flatMap(([parent, graph]) =>
      findCycles(graph).map(cycle => describeCycle(parent, cycle, graph)),
    ),
  )
}

/** @param {string} parent @param {readonly string[]} cycle @param {Graph} graph */
function describeCycle(parent, cycle, graph) {
  const reasons = cycle.flatMap(from =>
    [...(graph.get(from) ?? [])].filter(([to]) => cycle.includes(to)).map(([, reason]) => `    ${reason}`),
  )
  return `${parent}: ${[...cycle].sort().join(', ')} import each other in a cycle\n${reasons.join('\n')}`
}
