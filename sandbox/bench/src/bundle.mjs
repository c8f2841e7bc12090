/** Builds one entry with Vite for production: for its size (React external), and as a page (React bundled). */
import { existsSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { build } from 'vite'
import { harness } from './entries.mjs'

/**
 * @typedef {import('./peers.mjs').Prepared} Prepared
 * @typedef {Extract<Awaited<ReturnType<typeof build>>, { output: unknown }>['output'][number]} Output
 * @typedef {Extract<Output, { type: 'chunk' }>} Chunk
 */

const react = [/^react($|\/)/, /^react-dom($|\/)/]
const virtual = 'virtual:entry'

/** @param {Prepared} prepared */
function getFile({ source }) {
  return ['entry.tsx', 'entry.ts'].map(name => join(source, name)).find(existsSync) ?? source
}

/**
 * Gives the entry a name that the harness can import, and resolves packages only from the peer's own node_modules.
 * @param {Prepared} prepared
 * @returns {import('vite').Plugin}
 */
function resolver(prepared) {
  return {
    name: 'keybay-bench',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (id === virtual) return getFile(prepared)
      const { source, installed } = prepared
      const ours = importer?.startsWith(source + sep) || importer?.startsWith(harness + sep)
      if (!installed || !ours || id.startsWith('.')) return null
      // Vite resolves from the importer's folder if the importer exists, otherwise from its own root.
      return this.resolve(id, join(installed, 'package.json'), { ...options, skipSelf: true })
    },
    load(id) {
      const { installed } = prepared
      // Node's resolution walks up from the cache into the workspace's node_modules.
      if (installed && id.includes(`${sep}node_modules${sep}`) && !id.startsWith(installed + sep))
        this.error(`${id} is not of this entry: add it to its package.json`)
      return null
    },
  }
}

/** @param {Prepared} prepared @returns {import('vite').InlineConfig} */
function common(prepared) {
  return {
    root: prepared.source,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    // Kits on web3.js v1 expect the host's bundler to define both.
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    // Set explicitly, because a test runner sets NODE_ENV, which changes Vite's default.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    plugins: [resolver(prepared)],
  }
}
/** @satisfies {import('vite').BuildOptions} */
const output = {
  target: 'es2022',
  minify: true,
  modulePreload: false,
  copyPublicDir: false,
  reportCompressedSize: false,
}

/** @param {Prepared} prepared @returns {Promise<readonly Chunk[]>} the JavaScript chunks, built in memory */
export async function buildChunks(prepared) {
  const built = await build({
    ...common(prepared),
    build: {
      ...output,
      write: false,
      rolldownOptions: { input: getFile(prepared), external: react, preserveEntrySignatures: 'strict' },
    },
  })
  const bundles = Array.isArray(built) ? built : [built]
  return bundles.flatMap(bundle => ('output' in bundle ? bundle.output : [])).filter(isChunk)
}
/** @param {Output} output @returns {output is Chunk} */
function isChunk(output) {
  return output.type === 'chunk'
}

const html = `<!doctype html>
<meta charset="utf-8">
<title>bench</title>
<div id="root"></div>
<script type="module">
import './start.js'
import './main.js'
</script>
`

/** @param {Prepared} prepared @param {string} outDir emptied first */
export async function buildPage(prepared, outDir) {
  await build({
    ...common(prepared),
    build: {
      ...output,
      outDir,
      emptyOutDir: true,
      rolldownOptions: {
        input: { main: join(harness, 'main.tsx') },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  // Imported first, so it runs after everything was fetched and before anything is evaluated.
  writeFileSync(join(outDir, 'start.js'), 'window.bench.evalStart = performance.now()\n')
  writeFileSync(join(outDir, 'index.html'), html)
}
