/** Installs a peer in a folder where it shares nothing with the workspace or with other peers. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from '@keybay/sandbox-tools/command'
import { readJson, root } from '@keybay/sandbox-tools/repo'
import { ownFolder, peerFolder } from './entries.mjs'

const cache = join(root, 'node_modules', '.cache', 'keybay-bench')
const manifests = join(root, 'sandbox/bench/peers/peers.json')

/**
 * @typedef {object} Prepared
 * @property {string} source The folder of `entry.tsx` or `entry.ts`.
 * @property {string} [installed] The folder whose node_modules a peer is built from, and nothing else.
 */

/**
 * Installs a peer on the first run, and again when its versions in peers.json have changed.
 * @param {import('./entries.mjs').Entry} entry
 * @returns {Promise<Prepared>}
 * @throws {Advice} when npm fails
 */
export async function prepare(entry) {
  const source = peerFolder(entry)
  if (!source) return { source: ownFolder(entry) }
  const installed = join(cache, entry.name)
  const manifest = JSON.stringify({ private: true, type: 'module', ...readJson(manifests)[entry.name] })
  const stamp = join(installed, 'installed.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return { source, installed }
  console.info(`Installing ${entry.name} …`)
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), manifest)
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await npm(['install', '--prefix', installed, ...flags], { cwd: installed, show: false })
  if (code !== 0) throw new Advice(`${entry.name} could not be installed:\n${output}`)
  writeFileSync(stamp, manifest)
  return { source, installed }
}
