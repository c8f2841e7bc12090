/** Builds and serves a page, driven by the bench. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { temporaryFolder } from './measured.mjs'
import { servePages } from './page-server.mjs'

/**
 * @param {string} folder where the pages are built
 * @param {Readonly<Record<string, string>>} input a page's name and its script
 */
export async function buildPages(folder, input) {
  await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input, output: { entryFileNames: '[name].js' } },
    },
  })
  for (const name of Object.keys(input))
    writeFileSync(
      join(folder, `${name}.html`),
      // Chromium does not report long tasks of a frame that is not displayed.
      `<!doctype html><meta charset="utf-8"><style>iframe[hidden]{display:block!important}</style><body><script type="module" src="/${name}.js"></script>`,
    )
}

/**
 * @param {(end: () => unknown) => void} onEnd
 * @param {string} input the page's script
 * @returns {Promise<string>} the page's origin
 */
export async function serveHostPage(onEnd, input) {
  const folder = temporaryFolder(onEnd)
  await buildPages(folder, { index: input })
  const pages = await servePages(folder, {})
  onEnd(pages.close)
  return pages.origin.replace('localhost', 'app.localhost')
}
