import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** Maximum gzip bytes that this plugin adds to the kernel. Raise it only deliberately. */
const BUDGET_BYTES = 1_500

it(`adds at most ${BUDGET_BYTES} bytes to a host`, async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    external: ['@keybay/*'],
  })
  const size = outputFiles.reduce((total, { contents }) => total + gzipSync(contents, { level: 9 }).length, 0)
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(BUDGET_BYTES)
})
