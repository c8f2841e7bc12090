/** Writes a plugin's package from `template/plugin`, where every name is a form of `acme-name`. */
import { Advice } from '@keybay/sandbox-tools/advice'
import { writeFolder } from './files.mjs'

export const KINDS = ['wallet', 'login']

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

/** @param {string} name @throws {Advice} if a plugin cannot have it */
export function checkName(name) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new Advice(
      `“${name}” is no name for a plugin: use lower-case words with single dashes, such as pay-later (at most 40 letters).`,
    )
  if (reserved.has(name)) throw new Advice(`“${name}” is a reserved word: choose another name.`)
}

/** @param {string} kind @throws {Advice} */
export function checkKind(kind) {
  if (!KINDS.includes(kind)) throw new Advice(`--kind is “${kind}”: use ${KINDS.join(' or ')}.`)
}

/**
 * @param {string} target the new folder
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.kind
 * @param {'inside' | 'outside'} options.place of this repository
 * @param {(text: string) => string} [options.edit]
 */
export function writePlugin(target, { name, kind, place, edit = text => text }) {
  const parts = ['shared', kind, `${place}/shared`, `${place}/${kind}`].map(part => `plugin/${part}`)
  writeFolder(target, parts, { features: new Set([place, kind]), edit: text => rename(edit(text), name) })
}
