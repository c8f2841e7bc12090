/**
 * Builds a library into one compiled file of the package in the working directory, and its licence into `dist/LICENCES.txt`:
 * `node bundle-library.mjs <file below src> <library>`. Hosts' bundlers would add helpers to every page for the library's own
 * build: for CommonJS, or for private fields in old browsers.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { readJson } from './repo.mjs'

/** The file of each library to build: ES modules for current browsers, or a script that declares what it exports. */
const SOURCES = new Map([
  ['eventemitter3', { path: 'index.js', exported: 'EventEmitter' }],
  ['@wallet-standard/app', { path: 'src/wallets.ts', exported: undefined }],
])

const [file = '', library = ''] = process.argv.slice(2)
const source = SOURCES.get(library)
if (!source) throw new Error(`bundle-library.mjs knows no library ${library}. Add it to SOURCES.`)
const main = createRequire(resolve('package.json')).resolve(library)
const folder = main.slice(0, main.lastIndexOf(join(library)) + library.length)

/** @type {import('esbuild').Plugin} */
const librarySource = {
  name: 'library-source',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${library}$`) }, () => ({ path: join(folder, source.path), sideEffects: false }))
    onLoad({ filter: /node_modules/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}${source.exported ? `\nexport { ${source.exported} }` : ''}`,
      loader: 'ts',
    }))
  },
}
await build({
  entryPoints: [`src/${file}.ts`],
  outfile: `dist/${file}.js`,
  bundle: true,
  sourcemap: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  external: ['./*', '@keybay/*'],
  // A script exports by CommonJS too, where there is a `module`.
  define: { module: 'undefined' },
  // Messages about events that a browser never refuses, which every page would load.
  drop: ['console'],
  plugins: [librarySource],
})
const { version, license } = readJson(join(folder, 'package.json'))
const text = readFileSync(join(folder, 'LICENSE'), 'utf8').trim()
writeFileSync('dist/LICENCES.txt', `${library} ${version} (${license})\n\n${text}\n`)
