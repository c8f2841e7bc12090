/** Finds Chromium, or installs the distribution's package if that needs no confirmation. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstall, isDebian } from './apt.mjs'
import { Advice } from './command.mjs'
import { ensurePrograms } from './programs.mjs'

/** @typedef {import('./programs.mjs').Program} Program */

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Debian's Chromium without a window: the same engine, for half of the processor time. */
const SHELL = 'chromium-headless-shell'
/** Not its script in /usr/bin, which would stay between a test and the browser that it ends. */
const SHELL_PATH = `/usr/lib/chromium/${SHELL}`
const bundles = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} path of the program
 * @throws {Advice} if CHROMIUM_PATH names no file
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (existsSync(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Advice(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, but no file is there. Correct it or unset it.`)
  }
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter)]
  return [...folders.flatMap(folder => names.map(name => join(folder, name))), ...bundles].find(path =>
    existsSync(path),
  )
}

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} path of Chromium without a window; undefined if it is not installed or CHROMIUM_PATH names a browser
 */
export function findHeadlessShell(env = process.env) {
  return !env.CHROMIUM_PATH && existsSync(SHELL_PATH) ? SHELL_PATH : undefined
}

/** @type {Program} */
export const CHROMIUM = { name: 'Chromium', packages: ['chromium'], find: findChromium }

/** @type {Program} Without it tests use Chromium, and take longer. A browser of the user's choice replaces it. */
export const HEADLESS_SHELL = {
  name: 'Chromium without a window',
  packages: [SHELL],
  find: env => env.CHROMIUM_PATH || findHeadlessShell(env),
}

/**
 * Finds Chromium, which the distribution's package manager installs first where that needs no confirmation.
 * @returns {Promise<string>} path of the program
 * @throws {Advice} if Chromium is missing and cannot be installed from here
 */
export async function ensureChromium() {
  await ensurePrograms([CHROMIUM])
  return requireChromium()
}

/** @returns {string} path of Chromium @throws {Advice} that says how to install it */
export function requireChromium() {
  const path = findChromium()
  if (path) return path
  if (canInstall())
    throw new Advice(
      'apt-get could not install chromium: install it by hand, or set CHROMIUM_PATH to a Chromium or Chrome.',
    )
  throw new Advice(
    isDebian()
      ? 'The browser tests need Chromium: run `sudo apt-get install chromium`, or set CHROMIUM_PATH to a Chromium or Chrome.'
      : 'The browser tests need Chromium: install Chromium or Google Chrome, or set CHROMIUM_PATH to its program.',
  )
}
