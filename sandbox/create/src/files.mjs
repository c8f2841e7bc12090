/** Writes a folder from templates: leaves out what was not chosen, and replaces names and versions. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Advice } from '@keybay/sandbox-tools/advice'

const template = fileURLToPath(new URL('../template', import.meta.url))

/** Version of this package and of the Keybay packages, which the templates call `0.0.0`. */
export const VERSION = String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)

/** A comment in TypeScript, JSX or Markdown that binds its line to a feature. */
const MARK = / ?(?:\/\/ if ([\w-]+)$|\/\* if ([\w-]+) \*\/|<!-- if ([\w-]+) -->)/

/**
 * Returns the text without the lines whose feature was not chosen, and without marks. A first line that is only a mark
 * binds the whole file.
 *
 * @example chooseLines('a // if solana\nb // if waas', new Set(['waas'])) // 'b'
 * @param {string} text
 * @param {ReadonlySet<string>} features the chosen ones
 * @returns {string | undefined} undefined if the whole file was not chosen
 */
export function chooseLines(text, features) {
  const lines = text.split('\n').map(line => {
    const [mark = '', ...names] = MARK.exec(line) ?? []
    const feature = names.find(name => name !== undefined)
    return { rest: line.replace(mark, ''), feature, isChosen: feature === undefined || features.has(feature) }
  })
  const [first] = lines
  const isWholeFile = first?.feature !== undefined && first.rest === ''
  if (isWholeFile && !first.isChosen) return undefined
  return lines
    .slice(isWholeFile ? 1 : 0)
    .filter(({ isChosen }) => isChosen)
    .map(({ rest }) => rest)
    .join('\n')
}

/** @param {string} folder @returns {readonly string[]} paths of its files, relative to the folder */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

/**
 * @param {string} target the new folder
 * @param {readonly string[]} parts folders of `template/`; a file of a later part replaces one of an earlier part
 * @param {{ features: ReadonlySet<string>, edit: (text: string) => string }} options
 */
export function writeFolder(target, parts, { features, edit }) {
  for (const part of parts)
    for (const file of listFiles(join(template, part))) {
      const text = chooseLines(readFileSync(join(template, part, file), 'utf8'), features)
      if (text === undefined) continue
      // npm packs no file named .gitignore.
      const path = join(target, file.replace(/\bgitignore$/, '.gitignore'))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, edit(text.replaceAll('0.0.0', VERSION)))
    }
}

/** @param {string} folder @throws {Advice} if it is a file, or holds files other than those of git */
export function checkEmpty(folder) {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new Advice(`${folder} is a file: choose another name.`)
  if (readdirSync(folder).some(name => name !== '.git'))
    throw new Advice(`The folder ${folder} is not empty: choose another name, or empty the folder first.`)
}
