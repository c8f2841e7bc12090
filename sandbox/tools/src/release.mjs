/**
 * `npm run release -- --dry-run`: rehearses a release in a copy of the repository: sets the versions, packs every published
 * package, and checks the tarballs. It publishes nothing and changes no file here. CONTRIBUTING.md says how to publish.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { copyLicence, writeVersions } from './changeset.mjs'
import { Advice, command, npm, run, runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { createPackages, packages, readJson, root } from './repo.mjs'

/** @typedef {{ name: string, version: string, bytes: number, files: readonly string[], problems: readonly string[] }} Released */

/** Files and folders that no tarball and no version needs. */
const LEFT_OUT = new Set(['node_modules', 'test', '.reports'])

/** Builds packages for npm at the new version. */
const CREATE = 'sandbox/create'

/** @param {string} base @param {string} copy */
function copyPackages(base, copy) {
  for (const file of ['package.json', '.changeset', 'LICENSE'])
    cpSync(join(base, file), join(copy, file), { recursive: true })
  for (const { folder, published } of packages(base)) {
    mkdirSync(join(copy, folder), { recursive: true })
    if (published || folder === CREATE)
      cpSync(join(base, folder), join(copy, folder), {
        recursive: true,
        filter: path => !LEFT_OUT.has(basename(path)) || path.includes(join(folder, 'template')),
      })
    else cpSync(join(base, folder, 'package.json'), join(copy, folder, 'package.json'))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
}

/** @param {string} what @param {Promise<{ code: number, output: string, stdout: string }>} running */
async function succeed(what, running) {
  const { code, output, stdout } = await running
  if (code !== 0) throw new Advice(`${what} failed:\n${output}`)
  return stdout
}

/** Changesets reads from git which commit added a note. @param {string} copy */
async function commitAll(copy) {
  const identity = ['-c', 'user.name=release', '-c', 'user.email=release@localhost', '-c', 'commit.gpgsign=false']
  const options = { cwd: copy, show: false }
  await succeed('git init', run('git', ['init', '-q'], options))
  await succeed('git add', run('git', ['add', '.changeset'], options))
  await succeed('git commit', run('git', [...identity, 'commit', '-q', '-m', 'notes'], options))
}

/**
 * @param {import('./repo.mjs').Package} pkg
 * @param {readonly string[]} files of its tarball
 * @param {ReadonlyMap<string, string>} versions of all packages
 * @returns {readonly string[]}
 */
export function contentProblems({ name, manifest }, files, versions) {
  const missing = ['LICENSE', 'README.md', 'package.json'].filter(file => !files.includes(file))
  const extra = files.filter(file => /^(test|generated)\//.test(file) || file.endsWith('.tsbuildinfo'))
  const stale = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
    ([needed, range]) => versions.has(needed) && versions.get(needed) !== range,
  )
  return [
    ...missing.map(file => `${name} has no ${file}`),
    ...extra.map(file => `${name} has ${file}, which no user needs`),
    ...stale.map(([needed, range]) => `${name} needs ${needed} ${range}, not ${versions.get(needed)}`),
  ]
}

/** A template is a package of its own, once it is written. @param {import('publint').Message} message */
function isOfTemplate({ code, args }) {
  return code === 'NESTED_PACKAGE_JSON_FIELD_IGNORED' && args.filePath.includes('/template/')
}

/** @param {string} copy @returns {Promise<readonly Released[]>} */
async function pack(copy) {
  const all = packages(copy)
  const versions = new Map(all.map(({ name, manifest }) => [name, manifest.version]))
  const workspaces = all.filter(pkg => pkg.published)
  const published = [...workspaces, ...createPackages(copy)]
  const tarballs = join(copy, 'tarballs')
  mkdirSync(tarballs)
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs]
  const names = workspaces.flatMap(({ name }) => ['--workspace', name])
  const folders = createPackages(copy).map(({ folder }) => `./${folder}`)
  // Imported late: they may just have been installed.
  const [{ publint }, { formatMessage }] = await Promise.all([import('publint'), import('publint/utils')])
  const packed = [
    ...JSON.parse(await succeed('npm pack', npm([...args, ...names], { cwd: copy, show: false }))),
    ...JSON.parse(await succeed('npm pack', npm([...args, ...folders], { cwd: copy, show: false }))),
  ]
  return Promise.all(
    published.map(async pkg => {
      const { filename, size, files } = packed.find((/** @type {{ name: string }} */ { name }) => name === pkg.name)
      const paths = files.map((/** @type {{ path: string }} */ { path }) => path)
      const { buffer } = new Uint8Array(readFileSync(join(tarballs, basename(filename))))
      const { messages, pkg: manifest } = await publint({ pack: { tarball: buffer }, strict: true })
      const problems = [
        ...contentProblems(pkg, paths, versions),
        ...messages
          .filter(message => !isOfTemplate(message))
          .map(message => `${pkg.name}: ${formatMessage(message, manifest, { color: false })}`),
      ]
      return { name: pkg.name, version: pkg.manifest.version, bytes: size, files: paths, problems }
    }),
  )
}

/**
 * Rehearses a release. Every package must be built.
 * @param {string} [base]
 * @returns {Promise<readonly Released[]>} every published package
 */
export async function rehearse(base = root) {
  const copy = mkdtempSync(join(tmpdir(), 'keybay-release-'))
  try {
    copyPackages(base, copy)
    const hasNotes = readdirSync(join(copy, '.changeset')).some(file => file.endsWith('.md') && file !== 'README.md')
    if (!hasNotes) throw new Advice('Nothing to release: no change is recorded. Run npm run changeset.')
    await commitAll(copy)
    await succeed('changeset version', runTool('@changesets/cli/bin.js', ['version'], { cwd: copy, show: false }))
    writeVersions(copy)
    copyLicence(copy)
    await succeed('build', run(process.execPath, [join(copy, CREATE, 'src/build.mjs')], { cwd: copy, show: false }))
    return await pack(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function main() {
  if (!process.argv.includes('--dry-run'))
    throw new Advice('Only a rehearsal: npm run release -- --dry-run. CONTRIBUTING.md says how to publish.')
  await ensureInstalled()
  await build()
  const { version } = readJson(join(root, 'kernel/package.json'))
  const released = await rehearse()
  for (const { name, version: next, bytes, files } of released)
    console.info(`  ${name} ${version} → ${next}, ${files.length} files, ${Math.ceil(bytes / 1024)} KiB`)
  const problems = released.flatMap(({ problems }) => problems)
  for (const problem of problems) console.error(`  ${problem}`)
  console.info(problems.length === 0 ? '\nReady. Nothing was published.' : '\nNot ready. Nothing was published.')
  return problems.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) command(main)
