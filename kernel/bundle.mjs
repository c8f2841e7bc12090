/**
 * Puts eventemitter3 into the package as an ES module. Hosts' bundlers would wrap its CommonJS module, and every page would
 * load their helpers for it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('.', import.meta.url))
const library = dirname(fileURLToPath(import.meta.resolve('eventemitter3')))

/** Makes the module an ES module: the library's file exports by CommonJS only, where there is a `module`. */
const asModule = {
  name: 'as-module',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^eventemitter3$/ }, () => ({ path: join(library, 'index.js'), sideEffects: false }))
    build.onLoad({ filter: /eventemitter3.index\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nexport { EventEmitter }`,
    }))
  },
}

await build({
  absWorkingDir: root,
  entryPoints: ['src/emitter.ts'],
  outfile: 'dist/emitter.js',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  allowOverwrite: true,
  define: { module: 'undefined' },
  minifySyntax: true,
  plugins: [asModule],
})
const { name, version, license } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
const text = readFileSync(join(library, 'LICENSE'), 'utf8').trim()
writeFileSync(join(root, 'dist/LICENCES.txt'), `${name} ${version} (${license})\n\n${text}\n`)
