/** Parses the command line. */
import { parseArgs } from 'node:util'
import { Advice } from '@keybay/sandbox-tools/command'
import { entries } from './entries.mjs'

/** @typedef {'sizes' | 'renders' | 'services' | 'cost' | 'waas' | 'sign-up' | 'custody' | 'transfers' | 'page' | 'growth'} Section */

/** @type {readonly Section[]} */
const sections = ['sizes', 'renders', 'services', 'cost', 'waas', 'sign-up', 'custody', 'transfers', 'page', 'growth']
/** Sections that run only when `--only` names them: they fill databases for minutes. */
const ON_REQUEST = new Set(['growth'])

const usage = `npm run bench -- [--quick] [--only ${sections.join('|')}] [--markdown] [entry …]
Entries: ${entries.map(({ name }) => name).join(', ')}`

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {boolean} markdown
 * @property {ReadonlySet<Section>} sections
 * @property {readonly import('./entries.mjs').Entry[]} entries In the order of the list, whatever the order named.
 */

/** @param {readonly string[]} args @returns {Options} @throws {Advice} that lists the valid options */
export function parseOptions(args) {
  const { values, positionals } = parse(args)
  const only = sections.filter(section => values.only?.includes(section))
  const unknown = [
    ...positionals.filter(name => !entries.some(entry => entry.name === name)),
    ...(values.only ?? []).filter(name => !sections.some(section => section === name)),
  ]
  if (unknown.length > 0) throw new Advice(`There is no ${unknown.join(', ')}.\n${usage}`)
  return {
    quick: values.quick ?? false,
    markdown: values.markdown ?? false,
    sections: new Set(only.length > 0 ? only : sections.filter(section => !ON_REQUEST.has(section))),
    entries: positionals.length > 0 ? entries.filter(({ name }) => positionals.includes(name)) : entries,
  }
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { quick: { type: 'boolean' }, markdown: { type: 'boolean' }, only: { type: 'string', multiple: true } },
    })
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}
