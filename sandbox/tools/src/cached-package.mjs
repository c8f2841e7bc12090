/**
 * Fetches packages that must not be dependencies, such as another Node or another compiler, once into
 * node_modules/.cache.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from './command.mjs'
import { root } from './repo.mjs'

/**
 * @param {string} name
 * @param {string} version
 * @returns {Promise<string>} the package's folder
 * @throws {Advice} if the package cannot be fetched
 */
export async function cachedPackage(name, version) {
  const prefix = join(root, 'node_modules/.cache/keybay', `${name}-${version}`)
  const folder = join(prefix, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  console.info(`Fetching ${name}@${version} …`)
  const { code, output } = await npm(
    ['install', '--prefix', prefix, '--no-save', '--no-package-lock', '--ignore-scripts', `${name}@${version}`],
    { show: false },
  )
  if (code === 0 && existsSync(join(folder, 'package.json'))) return folder
  throw new Advice(
    `${name}@${version} could not be fetched: check the network, then try again.\n${output.slice(-2000)}`,
  )
}
