#!/usr/bin/env node
/** `npm create keybay-plugin [name] [-- --kind wallet|login]`: writes a plugin's package. On a terminal it prompts for missing values. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Advice, command } from '@keybay/sandbox-tools/advice'
import { createInterview, listChoices, readChoices } from './ask.mjs'
import { checkEmpty } from './files.mjs'
import { checkKind, checkName, KINDS, writePlugin } from './plugin.mjs'

const USAGE = 'Usage: npm create keybay-plugin <name> [-- --kind wallet|login]'

const CHOICES = [
  { id: 'wallet', text: 'connects a wallet' },
  { id: 'login', text: 'signs users in' },
]

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { kind: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
    })
    const [name, ...others] = positionals
    if (others.length > 0) throw new Error('Give one name.')
    return { ...values, name }
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
}

/** @param {string} name */
function getPackageName(name) {
  return `keybay-plugin-${name}`
}

/** @param {string} name @throws {Advice} */
function readName(name) {
  checkName(name)
  checkEmpty(getPackageName(name))
  return name
}

/** @param {string} answer @throws {Advice} */
function readKind(answer) {
  const [kind = '', ...others] = readChoices(answer, CHOICES)
  if (others.length > 0) throw new Advice(`Choose one: ${KINDS.join(' or ')}.`)
  return kind
}

/** @param {ReturnType<typeof readArguments>} given */
async function decide({ name, kind }) {
  if (name !== undefined) readName(name)
  if (kind !== undefined) checkKind(kind)
  if (!process.stdin.isTTY) {
    if (name === undefined) throw new Advice(`Give the name of the new plugin.\n${USAGE}`)
    return { name, kind: kind ?? 'wallet' }
  }
  const interview = createInterview(process.stdin, process.stdout)
  try {
    return {
      name: name ?? (await interview.ask({ text: 'Name of the wallet or login', initial: 'acme', read: readName })),
      kind: kind ?? (await interview.ask({ text: listChoices('Kind', CHOICES), initial: 'wallet', read: readKind })),
    }
  } finally {
    interview.close()
  }
}

command(async () => {
  const given = readArguments()
  if (given.help) return console.info(USAGE)
  const { name, kind } = await decide(given)
  const folder = getPackageName(name)
  writePlugin(resolve(folder), {
    name,
    kind,
    place: 'outside',
    edit: text => text.replaceAll('@keybay/acme-name', folder),
  })
  console.info(`
Wrote ${folder}. It works as it is:  cd ${folder} && npm install && npm test

Then make ${kind === 'wallet' ? 'src/provider.ts' : 'src/index.ts'} talk to the real thing. README.md says more.
`)
})
