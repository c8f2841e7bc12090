/** Checks what a host sees of a published package on npm: its metadata, licence, source maps, and pages whose links and paths exist there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { clientEntryProblems } from './client-entries.mjs'
import { packages, root } from './repo.mjs'

/** @typedef {import('./repo.mjs').Package} Package */

const REPOSITORY = 'https://github.com/keybay/keybay'
/** Files that npm packs in any case. */
const ALWAYS = ['README.md', 'LICENSE', 'package.json']

/** @param {Package} pkg @returns {readonly string[]} */
function metadataProblems({ folder, manifest }) {
  const { repository, homepage = '', bugs, keywords = [], files = [] } = manifest
  const isRepository = repository?.url === `git+${REPOSITORY}.git` && repository.directory === folder
  return [
    ...(isRepository ? [] : [`"repository" is not ${REPOSITORY} with the directory ${folder}`]),
    ...(homepage.startsWith(`${REPOSITORY}/tree/main/${folder}`)
      ? []
      : ['"homepage" is not its folder in the repository']),
    ...(bugs === `${REPOSITORY}/issues` ? [] : ['"bugs" is not the repository’s issues']),
    ...(keywords.includes('keybay') ? [] : ['"keywords" lacks “keybay”']),
    ...(files.includes('src') ? [] : ['"files" lacks “src”, which the source maps and pages name']),
  ]
}

/** Apache-2.0, 4a. A script that copies it before npm packs would not run where scripts are off. @param {Package} pkg @param {string} base */
function licenceFileProblems({ folder }, base) {
  const copy = join(base, folder, 'LICENSE')
  const isCopy = existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(join(base, 'LICENSE'), 'utf8')
  return isCopy ? [] : ['LICENSE is not a copy of the one at the root']
}

/** @param {string} folder @param {RegExp} name @returns {readonly string[]} paths below the folder */
function findFiles(folder, name) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true }).map(entry => String(entry).replaceAll('\\', '/'))
  return entries.filter(entry => name.test(entry) && !/(^|\/)node_modules\//.test(entry))
}

/** @param {Package} pkg @param {string} base */
function mapProblems({ folder }, base) {
  const dist = join(base, folder, 'dist')
  const lacking = findFiles(dist, /\.js$/).filter(file => !existsSync(join(dist, `${file}.map`)))
  return lacking.map(file => `dist/${file} has no source map: build it with one`)
}

/** Returns the paths that a page names: targets of relative links, and code such as `src/plugin.ts`. @param {string} text */
export function getPaths(text) {
  // The text of a link to another site may name a path of that site.
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/\[[^\]]*\]\((?:https?:|#)[^)]*\)/g, '')
  const links = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = '']) => ({ path, isLink: true }))
  const code = [...prose.matchAll(/`((?:src|test|dist|sandbox|kernel|react|plugins)\/[\w./-]*)`/g)]
  return [...links, ...code.map(([, path = '']) => ({ path, isLink: false }))]
}

/** @param {Package} pkg @param {string} base @param {string} page */
function pageProblems({ folder, manifest }, base, page) {
  const shipped = [...ALWAYS, ...(manifest.files ?? [])]
  return getPaths(readFileSync(join(base, folder, page), 'utf8')).flatMap(({ path, isLink }) => {
    const target = posix.normalize(isLink ? posix.join(posix.dirname(page), path) : path)
    const isShipped = shipped.includes(target) || shipped.includes(target.split('/')[0] ?? '')
    if (isShipped && existsSync(join(base, folder, target))) return []
    return [`${page} names ${path}, which is not in the package: link to ${REPOSITORY} instead`]
  })
}

/** @param {string} [base] another copy of the repository @returns {readonly string[]} one sentence per problem */
export function packagingProblems(base = root) {
  return packages(base).flatMap(pkg => {
    if (!pkg.published) return []
    const shipped = (pkg.manifest.files ?? []).filter(file => !file.startsWith('!'))
    const single = shipped.filter(file => file.endsWith('.md'))
    const folders = shipped.filter(file => !single.includes(file))
    const inFolders = folders.flatMap(name =>
      findFiles(join(base, pkg.folder, name), /\.md$/).map(file => `${name}/${file}`),
    )
    const pages = ['README.md', ...single, ...inFolders]
    const problems = [
      ...metadataProblems(pkg),
      ...licenceFileProblems(pkg, base),
      ...mapProblems(pkg, base),
      ...clientEntryProblems(join(base, pkg.folder), pkg.manifest),
      ...pages.flatMap(page => pageProblems(pkg, base, page)),
    ]
    return problems.map(problem => `${pkg.folder}: ${problem}`)
  })
}
