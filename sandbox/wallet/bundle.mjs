/** Puts the sandbox's wallet and its libraries into the package, because the package that has its source is private. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeLicences } from '../tools/src/bundle-licences.mjs'

/** @param {string} path */
function resolve(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}

const { metafile } = await build({
  absWorkingDir: resolve('.'),
  entryPoints: ['src/index.ts'],
  outdir: 'dist',
  bundle: true,
  sourcemap: true,
  format: 'esm',
  target: 'es2022',
  metafile: true,
  legalComments: 'none',
  // Its sources, so that the source map contains them.
  alias: { '@keybay/sandbox-wallets': resolve('../wallets/src/index.ts') },
})
writeLicences(resolve('.'), metafile)
