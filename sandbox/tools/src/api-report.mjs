/** Writes down the public types of each published package, so that a change of them is a reviewed diff. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readDeclarations, resolveDeclarations } from './declarations.mjs'
import { packages, root } from './repo.mjs'

/** @typedef {import('./declarations.mjs').Declarations} Declarations */

const HEADER = 'Public types, from the built declarations. Written by `npm run api`; `npm run check` compares it.'

/** @typedef {{ file: string | undefined, from?: string, name: string }} Place of a declaration; `file` is undefined for another package */

/** Collects the report of one package: the exports of each entry, and once for all what they refer to. */
class Report {
  /** @type {Map<string, Declarations>} */
  #modules = new Map()
  /** Declarations that are printed, or will be, by their entry. @type {Map<string, string>} */
  #printed = new Map()
  /** @type {string[]} */
  #parts = []
  /** @type {string[]} */
  #internal = []

  /** @param {readonly { entry: string, file: string }[]} entries */
  constructor(entries) {
    const exports = entries.map(({ entry, file }) => ({ entry, names: this.#namesOf(file) }))
    for (const { entry, names } of exports)
      for (const { file, name } of names.values())
        if (!this.#printed.has(`${file} ${name}`)) this.#printed.set(`${file} ${name}`, entry)
    for (const { entry, names } of exports) {
      const texts = [...names].sort().map(([name, place]) => this.#printExport(entry, name, place))
      this.#parts.push(`// ${entry}`, ...texts)
    }
    const modules = [...this.#modules.values()]
    for (const { file, blocks } of modules) this.#printUsed(file, blocks)
    const blocks = modules.flatMap(module => module.blocks.map(({ text }) => text))
    if (this.#internal.length) this.#parts.push('// What they refer to', ...this.#internal.sort())
    if (blocks.length) this.#parts.push('// What they add to other modules', ...blocks.sort())
  }

  /** @returns {string} */
  toString() {
    return this.#parts.join('\n\n')
  }

  /** @param {string} file @returns {Declarations} */
  #read(file) {
    const known = this.#modules.get(file)
    if (known) return known
    const module = readDeclarations(file)
    this.#modules.set(file, module)
    for (const specifier of module.modules) {
      const target = resolveDeclarations(file, specifier)
      if (target) this.#read(target) // may add to other modules
    }
    return module
  }

  /** @param {string} file @returns {ReadonlyMap<string, Place>} every name that the module exports */
  #namesOf(file) {
    /** @type {Map<string, Place>} */
    const names = new Map()
    const { stars, exported } = this.#read(file)
    for (const from of stars) {
      const target = resolveDeclarations(file, from)
      if (!target) names.set(`* from '${from}'`, { file: undefined, from, name: '*' })
      else for (const [name, place] of this.#namesOf(target)) names.set(name, place)
    }
    for (const [name, origin] of exported) names.set(name, this.#find(file, origin))
    return names
  }

  /**
   * Follows imports and re-exports to the module that declares a name.
   * @param {string} file @param {string | import('./declarations.mjs').Reference} origin @returns {Place}
   */
  #find(file, origin) {
    const { declared, imported } = this.#read(file)
    if (typeof origin === 'string' && declared.has(origin)) return { file, name: origin }
    const reference = typeof origin === 'string' ? imported.get(origin) : origin
    if (!reference) return { file, name: String(origin) }
    const { from, name } = reference
    const target = resolveDeclarations(file, from)
    if (!target || name === '*') return { file: undefined, from, name }
    return this.#namesOf(target).get(name) ?? { file: target, name }
  }

  /** @param {string} entry @param {string} exportedName @param {Place} place */
  #printExport(entry, exportedName, { file, from, name }) {
    const statement = name === exportedName ? `export { ${name} }` : `export { ${name} as ${exportedName} }`
    if (file === undefined) return name === '*' ? `export ${exportedName}` : `${statement} from '${from}'`
    const first = this.#printed.get(`${file} ${name}`)
    if (first !== entry) return `${statement} // see ${first}`
    const text = this.#print(file, name, 'export ')
    return name === exportedName ? text : `${statement}\n${text}`
  }

  /** Prints a declaration, and then what it refers to. @param {string} file @param {string} name @param {string} prefix */
  #print(file, name, prefix) {
    const declarations = this.#read(file).declared.get(name) ?? []
    this.#printUsed(file, declarations)
    return declarations.map(({ text }) => prefix + text.replace(/^declare /, '')).join('\n')
  }

  /** @param {string} file @param {readonly import('./declarations.mjs').Declaration[]} declarations */
  #printUsed(file, declarations) {
    const { declared, imported } = this.#read(file)
    for (const used of declarations.flatMap(({ names }) => [...names])) {
      if (!declared.has(used) && !imported.has(used)) continue
      const place = this.#find(file, used)
      const key = `${place.file} ${place.name}`
      if (place.file === undefined || this.#printed.has(key)) continue
      this.#printed.set(key, '')
      this.#internal.push(this.#print(place.file, place.name, ''))
    }
  }
}

/**
 * @param {string} folder of the package
 * @param {Pick<import('./repo.mjs').Manifest, 'exports' | 'version'>} manifest
 * @returns {string}
 */
export function apiReport(folder, { exports = {}, version }) {
  const entries = Object.entries(exports).flatMap(([entry, target]) => {
    const types = Reflect.get(Object(target), 'types')
    return typeof types === 'string' ? [{ entry, file: join(folder, types) }] : []
  })
  const text = `// ${HEADER}\n\n${new Report(entries)}\n`
  return text.replaceAll(JSON.stringify(version), '"the version"')
}

/** @param {string} base */
function reports(base) {
  return packages(base)
    .filter(({ published }) => published)
    .map(({ folder, manifest }) => ({
      file: `${folder}/generated/api.txt`,
      text: apiReport(join(base, folder), manifest),
    }))
}

/** @param {string} [base] */
export function writeApiReports(base = root) {
  for (const { file, text } of reports(base)) {
    mkdirSync(dirname(join(base, file)), { recursive: true })
    writeFileSync(join(base, file), text)
  }
}

/** @param {string} [base] @returns {readonly string[]} one sentence per report that differs */
export function apiProblems(base = root) {
  return reports(base).flatMap(({ file, text }) => {
    const path = join(base, file)
    const old = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    const lines = text.split('\n')
    const first = lines.findIndex((line, index) => line !== old[index])
    if (first < 0 && old.length === lines.length) return []
    const line = first < 0 ? lines.length : first
    return [
      `${file}:${line + 1}: the public types have changed: “${lines[line] ?? ''}”, not “${old[line] ?? ''}”. Run npm run api, and commit the diff`,
    ]
  })
}
