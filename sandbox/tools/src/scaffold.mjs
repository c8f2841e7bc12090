/** Creates a new plugin's package from `../template`, where every name is a form of `acme-name`. `inside/` is for this repository. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Advice } from './command.mjs'
import { packages, readJson, root } from './repo.mjs'

const template = fileURLToPath(new URL('../template', import.meta.url))
const kinds = ['wallet', 'login']
/** Members of a Keybay instance, which a plugin's id would hide, and reserved words of JavaScript. */
const reserved = new Set(
  (
    'accounts attempts config connect connections connectors disconnect dispose on on-any prompts session ' +
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof undefined var void while with yield plugin keybay kernel react'
  ).split(' '),
)

/** @param {string} text @param {string} name such as `pay-later` */
export function rename(text, name) {
  const words = name.split('-').map(word => word.charAt(0).toUpperCase() + word.slice(1))
  const pascal = words.join('')
  return text
    .replaceAll('acme-name', name)
    .replaceAll('Acme Name', words.join(' '))
    .replaceAll('AcmeName', pascal)
    .replaceAll('acmeName', pascal.charAt(0).toLowerCase() + pascal.slice(1))
}

/** @param {string} dir @param {string} name */
function check(dir, name) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new Advice(
      `“${name}” is no name for a plugin: use lower-case words with single dashes, such as pay-later (at most 40 letters).`,
    )
  if (reserved.has(name)) throw new Advice(`“${name}” is a reserved word: choose another name.`)
  /** @type {readonly string[]} */
  const workspaces = readJson(join(root, 'package.json')).workspaces
  if (!workspaces.includes(`${dir}/*`))
    throw new Advice(
      `${dir} is no folder of packages: use plugins, or add "${dir}/*" to "workspaces" in package.json first.`,
    )
  const taken = packages().find(pkg => pkg.id === name || pkg.name === `@keybay/${name}`)
  if (taken) throw new Advice(`There is a package ${taken.name} in ${taken.folder} already: choose another name.`)
  if (existsSync(join(root, dir, name)))
    throw new Advice(`The folder ${dir}/${name} exists already: remove it, or choose another name.`)
}

/** Adds the package to a list of references, at its end. @param {string} file @param {string} folder */
function register(file, folder) {
  const config = readJson(file)
  config.references.push({ path: folder })
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`)
}

/**
 * @param {{ name: string, kind: string, dir: string }} options
 * @returns {string} the new folder, relative to the root
 * @throws {Advice} if the name, the kind or the folder is not valid
 */
export function scaffold({ name, kind, dir }) {
  if (!kinds.includes(kind)) throw new Advice(`--kind is “${kind}”: use ${kinds.join(' or ')}.`)
  check(dir, name)
  const folder = `${dir}/${name}`
  const target = join(root, folder)
  for (const part of ['shared', kind, 'inside/shared', `inside/${kind}`])
    cpSync(join(template, part), target, { recursive: true })
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))

  const { version } = readJson(join(root, 'kernel/package.json'))
  const up = relative(target, resolve(root)).replaceAll('\\', '/')
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, 'utf8').replaceAll('0.0.0', version).replaceAll('../../', `${up}/`)
    writeFileSync(path, rename(text, name))
  }
  for (const file of ['tsconfig.json', 'tsconfig.test.json']) register(join(root, file), folder)
  return folder
}
