/** Installs a peer where it can share nothing with the workspace, nor with another peer. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from '@keybay/sandbox-tools/command'
import { isInstalled } from '@keybay/sandbox-tools/install'
import { root } from '@keybay/sandbox-tools/repo'
import { ownFolder, peerFolder } from './entries.mjs'

const cache = join(root, 'node_modules', '.cache', 'keybay-bench')

/**
 * @typedef {object} Prepared
 * @property {string} source The folder of `entry.tsx` or `entry.ts`.
 * @property {string} [installed] The folder whose node_modules a peer is built from, and nothing else.
 */

/**
 * Installs on the first run and when the lock has changed.
 * @param {import('./entries.mjs').Entry} entry
 * @returns {Promise<Prepared>}
 * @throws {Advice} when npm fails
 */
export async function prepare(entry) {
  const source = peerFolder(entry)
  if (!source) return { source: ownFolder(entry) }
  const installed = join(cache, entry.name)
  mkdirSync(installed, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(installed, file))
  if (!isInstalled(installed)) {
    console.info(`Installing ${entry.name} …`)
    const args = ['ci', '--prefix', installed, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { code, output } = await npm(args, { cwd: installed, show: false })
    if (code !== 0) throw new Advice(`${entry.name} could not be installed:\n${output}`)
  }
  return { source, installed }
}
