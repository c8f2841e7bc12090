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

await build({
  absWorkingDir: root,
  entryPoints: ['src/emitter.ts'],
  outfile: 'dist/emitter.js',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  allowOverwrite: true,
  alias: { eventemitter3: join(library, 'dist/eventemitter3.esm.js') },
})
const { name, version, license } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
const text = readFileSync(join(library, 'LICENSE'), 'utf8').trim()
writeFileSync(join(root, 'dist/LICENCES.txt'), `${name} ${version} (${license})\n\n${text}\n`)
