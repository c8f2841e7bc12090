/** Writes an app from `template/app`. Its plugins are packages `@keybay/<id>`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Advice } from '@keybay/sandbox-tools/advice'
import { writeFolder } from './files.mjs'

/** @typedef {import('./ask.mjs').Choice} Choice */

/** @type {readonly (Choice & { port: number })[]} */
export const TEMPLATES = [
  { id: 'vite', text: 'Vite and React', port: 5173 },
  { id: 'next', text: 'Next.js with the App Router', port: 3000 },
]

/** @type {readonly Choice[]} */
export const PLUGINS = [
  { id: 'wallet-standard', text: 'wallets of the user’s browser' },
  { id: 'solana', text: 'balances and payments' },
  { id: 'account', text: 'signed-in users' },
  { id: 'one-time-code', text: 'sign-in by email' },
  { id: 'passkey', text: 'sign-in by passkey' },
  { id: 'social', text: 'sign-in with Google and GitHub' },
  { id: 'waas', text: 'embedded wallets' },
]

/** Plugins that need `account`. */
const OF_USERS = ['one-time-code', 'passkey', 'social', 'waas']
const WAYS_IN = ['wallet-standard', 'one-time-code', 'passkey', 'social']

/**
 * @param {readonly string[]} ids
 * @returns {readonly string[]} with `account`, where a plugin needs it
 * @throws {Advice} if a user could neither connect nor sign in
 */
export function completePlugins(ids) {
  if (!ids.some(id => WAYS_IN.includes(id)))
    throw new Advice(`A user could neither connect nor sign in: add one of ${WAYS_IN.join(', ')}.`)
  const needed = ids.some(id => OF_USERS.includes(id)) ? ['account', ...ids] : ids
  return PLUGINS.map(({ id }) => id).filter(id => needed.includes(id))
}

/** @param {string} name @throws {Advice} if npm would refuse it as a package's name */
export function checkAppName(name) {
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    throw new Advice(`“${name}” is no name for an app: use lower-case letters, digits and dashes, such as my-app.`)
}

/**
 * @param {string} target the new folder
 * @param {{ name: string, template: string, plugins: readonly string[] }} options
 */
export function writeApp(target, { name, template, plugins }) {
  const parts = ['shared', template].map(part => `app/${part}`)
  const features = new Set([template, ...plugins])
  writeFolder(target, parts, { features, edit: text => text.replaceAll('acme-app', name) })
  const file = join(target, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  for (const { id } of PLUGINS) if (!plugins.includes(id)) delete manifest.dependencies[`@keybay/${id}`]
  if (!plugins.includes('wallet-standard')) delete manifest.devDependencies['@keybay/sandbox-wallet']
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
