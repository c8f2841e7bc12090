/**
 * `npm run changeset` records a change, `npm run changeset version` turns the records into a version, and `npm run
 * changeset publish` publishes it. All packages share one version, repeated in `src/version.ts`.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { Advice, command, npm, runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { createPackages, packages, root } from './repo.mjs'

/** @param {string} [base] */
export function writeVersions(base = root) {
  for (const { folder, manifest } of packages(base)) {
    const file = join(base, folder, 'src/version.ts')
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/(export const VERSION(?:: string)? = )'[^']*'/, `$1'${manifest.version}'`))
  }
}

/** Every published package includes the licence (Apache-2.0, 4a); git stores it once. @param {string} [base] */
export function copyLicence(base = root) {
  for (const { folder, published } of packages(base))
    if (published) copyFileSync(join(base, 'LICENSE'), join(base, folder, 'LICENSE'))
}

/**
 * Publishes the packages that changesets does not see. A version that is on npm already stays as it is.
 * @param {string} [base]
 * @param {NodeJS.ProcessEnv} [env] npm's settings
 * @throws {Advice} if npm refuses a package
 */
export async function publishCreatePackages(base = root, env = process.env) {
  for (const { folder, name, manifest } of createPackages(base)) {
    const known = await npm(['view', `${name}@${manifest.version}`, 'version'], { cwd: base, env, show: false })
    if (known.code === 0 && known.stdout.trim() === manifest.version) continue
    const { code } = await npm(['publish', `./${folder}`, '--access', 'public'], { cwd: base, env })
    if (code !== 0) throw new Advice(`${name} was not published: see above, then run npm run changeset publish again.`)
  }
}

async function main() {
  await ensureInstalled()
  const [task] = process.argv.slice(2)
  if (task === 'publish') {
    await build()
    copyLicence()
  }
  const { code } = await runTool('@changesets/cli/bin.js', process.argv.slice(2))
  if (code === 0 && task === 'publish') await publishCreatePackages()
  if (code !== 0 || task !== 'version') return code
  writeVersions()
  const lock = await npm(['install', '--package-lock-only'])
  if (lock.code !== 0)
    throw new Advice('The versions are set, but not in package-lock.json: run npm install --package-lock-only.')
  return 0
}

if (process.argv[1]?.endsWith('changeset.mjs')) command(main)
