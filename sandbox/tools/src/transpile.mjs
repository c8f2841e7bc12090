/**
 * Writes the JavaScript of each package: `src/x.ts` becomes `dist/x.js`, if it changed. The compiler, which checks types and
 * writes declarations, needs several times the processor time for the same files, and no program needs either to run.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { transformWithOxc } from 'vite'
import { readJson, root } from './repo.mjs'

/** @typedef {{ rootDir?: string, outDir?: string, emitDeclarationOnly?: boolean }} Options */
/** @typedef {{ compilerOptions?: Options, include?: readonly string[], exclude?: readonly string[] }} Config */

/** @param {string} path @returns {number} 0 if it does not exist */
function getTime(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/**
 * Lists the files of a project, each with the path of its JavaScript.
 * @param {string} folder of its tsconfig.json
 */
function listFiles(folder) {
  /** @type {Config} */
  const { compilerOptions = {}, include = ['src'], exclude = [] } = readJson(join(folder, 'tsconfig.json'))
  const { rootDir = 'src', outDir = 'dist', emitDeclarationOnly = false } = compilerOptions
  if (emitDeclarationOnly) return []
  const others = exclude.map(path => join(folder, path) + sep)
  return include
    .flatMap(path => {
      const names = readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
      return names.map(name => join(folder, path, name))
    })
    .filter(path => /(?<!\.d)\.tsx?$/.test(path) && !others.some(other => path.startsWith(other)))
    .map(source => {
      const name = relative(join(folder, rootDir), source).replace(/\.tsx?$/, '.js')
      return { source, target: join(folder, outDir, name) }
    })
}

/** @param {{ source: string, target: string }} file @throws {Error} that shows a syntax error, or names a file that needs a helper at run time */
async function write({ source, target }) {
  const { code, map } = await transformWithOxc(readFileSync(source, 'utf8'), source)
  if (code.includes('@oxc-project/runtime/'))
    throw new Error(`${source} needs a helper of the compiler, which no package has`)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`)
  const sources = [relative(dirname(target), source).replaceAll(sep, '/')]
  writeFileSync(`${target}.map`, JSON.stringify({ ...map, file: basename(target), sources, sourcesContent: undefined }))
}

/**
 * @param {string} [base] another copy of the repository
 * @throws {Error} that shows a syntax error
 */
export async function transpile(base = root) {
  /** @type {{ references: readonly { path: string }[] }} */
  const { references } = readJson(join(base, 'tsconfig.json'))
  const files = references.flatMap(({ path }) => listFiles(join(base, path)))
  const changed = files.filter(({ source, target }) => getTime(target) < getTime(source))
  for (const file of changed) await write(file)
}
