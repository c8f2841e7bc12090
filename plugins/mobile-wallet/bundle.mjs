/**
 * Bundles the client library into the package, so that hosts install neither react-native, its peer, nor its Node
 * requirement. Writes the licences of everything that is in the bundle next to it.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeLicences } from '../../sandbox/tools/src/bundle-licences.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const client = join(root, 'src/client')
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The adapter gets our protocol.ts in place of the protocol package; protocol.ts itself gets the package. */
const replaceModules = {
  name: 'replace-modules',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^@solana-mobile\/mobile-wallet-adapter-protocol$/ }, ({ importer }) =>
      importer.startsWith(client) ? undefined : { path: join(client, 'protocol.ts') },
    )
    // Draws codes for wallets on another device, which no code of ours reaches.
    build.onResolve({ filter: /^qrcode$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'export default undefined' }))
  },
}
for (const file of existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist'), { recursive: true }) : [])
  if (String(file).endsWith('.js')) rmSync(join(root, 'dist', String(file)))
/** @type {import('esbuild').BuildOptions} */
const common = { absWorkingDir: root, outdir: 'dist', outbase: 'src', sourcemap: true, format: 'esm', target: 'es2022' }
// One file each, so that a host's first chunk has only what it uses.
await build({ ...common, entryPoints: ['index', 'plugin', 'errors', 'version'].map(name => `src/${name}.ts`) })
const { metafile } = await build({
  ...common,
  entryPoints: ['src/client/engine.ts'],
  platform: 'browser',
  bundle: true,
  metafile: true,
  legalComments: 'none',
  external: ['../errors.js', ...Object.keys(dependencies).flatMap(name => [name, `${name}/*`])],
  plugins: [replaceModules],
  // The libraries log to the console.
  drop: ['console'],
  // See permission.ts.
  define: { 'navigator.permissions.query': 'assumePermission' },
  inject: ['src/client/permission.ts'],
})
writeLicences(root, metafile)
