/**
 * Puts @wallet-standard/app into the package, built from its source for current browsers. Its own build is for old ones:
 * helpers in place of private fields are a third of it, and every page would load them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('.', import.meta.url))
const library = fileURLToPath(new URL('../../', import.meta.resolve('@wallet-standard/app')))

await build({
  absWorkingDir: root,
  entryPoints: ['src/app.ts'],
  outfile: 'dist/app.js',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  allowOverwrite: true,
  alias: { '@wallet-standard/app': join(library, 'src/index.ts') },
})
const { name, version, license } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
const text = readFileSync(join(library, 'LICENSE'), 'utf8').trim()
writeFileSync(join(root, 'dist/LICENCES.txt'), `${name} ${version} (${license})\n\n${text}\n`)
