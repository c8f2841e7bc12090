/** Builds the extension into `dist/unpacked`, which Chromium loads unchanged. */
import { cp, mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const out = fileURLToPath(new URL('../../dist/unpacked/', import.meta.url))

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
await build({
  // Bundles every script separately, because a content script cannot import.
  entryPoints: {
    inpage: `${here}inpage/main.ts`,
    content: `${here}content.ts`,
    worker: `${here}worker.ts`,
    approval: `${here}pages/approval.ts`,
    wallet: `${here}pages/wallet.ts`,
  },
  bundle: true,
  format: 'iife',
  target: 'chrome123',
  outdir: out,
  logLevel: 'warning',
})
for (const [from, to] of [
  ['manifest.json', 'manifest.json'],
  ['config.js', 'config.js'],
  ['pages/approval.html', 'approval.html'],
  ['pages/wallet.html', 'wallet.html'],
  ['pages/pages.css', 'pages.css'],
])
  await cp(`${here}${from}`, `${out}${to}`)
