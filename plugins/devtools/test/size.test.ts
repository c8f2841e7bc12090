/** Size and place of the code: a tiny factory at first, the panel on demand, nothing in a production build. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { build as viteBuild } from 'vite'
import { expect, it } from 'vitest'

/** Maximum gzip bytes of the whole plugin, and of what an app loads at its start. Raise them only deliberately. */
const [TOTAL_BYTES, INITIAL_BYTES] = [15 * 1024, 1500]
/** Texts of the recorder and of the panel, which minifiers keep. */
const TRACES = /composedPath|Nothing has happened yet/

function entry(name: string) {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
}
const APP = `
  import { createKeybay } from '@keybay/kernel'
  import { devtools } from '@keybay/devtools'
  globalThis.keybay = createKeybay({ appName: 'Acme', plugins: [devtools()] })
`
const here = fileURLToPath(new URL('.', import.meta.url))
interface File {
  readonly name: string
  readonly text: string
}

async function withEsbuild(options: esbuild.BuildOptions, contents = APP): Promise<readonly File[]> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    ...options,
  })
  return (outputFiles ?? []).map(({ path, text }) => ({ name: path, text }))
}

async function withVite(mode: string): Promise<readonly File[]> {
  const id = 'virtual:app'
  const result = await viteBuild({
    root: here,
    mode,
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    plugins: [
      {
        name: 'app',
        resolveId: (source: string) => (source === id ? fileURLToPath(new URL('app.js', import.meta.url)) : undefined),
        load: (path: string) => (path.endsWith('/app.js') ? APP : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: id } },
  })
  const outputs = [result].flat().flatMap(built => ('output' in built ? built.output : []))
  return outputs.map(output => ({
    name: output.fileName,
    text: output.type === 'chunk' ? output.code : String(output.source),
  }))
}

function all(files: readonly File[]): string {
  return files.map(({ text }) => text).join('\n')
}

it.each([
  ['esbuild --minify', () => withEsbuild({ minify: true })],
  ['esbuild with NODE_ENV', () => withEsbuild({ define: { 'process.env.NODE_ENV': '"production"' } })],
  ['Vite', () => withVite('production')],
])('a production build by %s contains nothing of it, and no chunk for it', async (_, build) => {
  const files = await build()
  expect(all(files)).toContain('Acme')
  expect(all(files)).not.toMatch(TRACES)
  expect(files).toHaveLength(1)
})

it.each([
  ['esbuild', () => withEsbuild({})],
  ['Vite', () => withVite('development')],
])('a development build by %s has the recorder at the start, and the panel in a chunk of its own', async (_, build) => {
  const files = await build()
  const panel = files.filter(({ text }) => text.includes('Nothing has happened yet'))
  expect(panel).toHaveLength(1)
  expect(panel[0]?.text).not.toMatch(/Acme|composedPath/)
  expect(all(files)).toContain('composedPath')
})

it(`adds at most ${INITIAL_BYTES} bytes to the start of an app, and ${TOTAL_BYTES} bytes in all`, async () => {
  const contents = `export { devtools } from ${JSON.stringify(entry('production'))}`
  const files = await withEsbuild({ minify: true, external: ['@keybay/kernel'] }, contents)
  const sizes = files.map(({ text }) => gzipSync(text, { level: 9 }).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const panel = sizes[files.findIndex(({ text }) => text.includes('Nothing has happened yet'))] ?? 0
  expect(total - panel).toBeLessThanOrEqual(INITIAL_BYTES)
  expect(total).toBeGreaterThan(2000)
  expect(total).toBeLessThanOrEqual(TOTAL_BYTES)
})
