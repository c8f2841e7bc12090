import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** Maximum gzip bytes that each plugin adds to a page. Raise one only deliberately. */
const BUDGETS_BYTES = [
  ['frame-wallet/index.ts', 1_800],
  ['magic-link/index.ts', 1_100],
  ['acme-social/index.ts', 300],
] as const

it.each(BUDGETS_BYTES)('the plugin %s adds at most %d bytes to a page', async (entry, budget) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    external: ['@keybay/*'],
  })
  const size = outputFiles.reduce((total, { contents }) => total + gzipSync(contents, { level: 9 }).length, 0)
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(budget)
})
