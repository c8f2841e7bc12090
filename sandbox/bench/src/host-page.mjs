/** Builds and serves a host page, and receives the codes sent to its user's phone. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { servePages } from './page-server.mjs'

/** @param {import('node:http').RequestListener} [handler] */
export async function listen(handler) {
  const server = createServer(handler)
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}

/**
 * @param {string} input the page's script
 * @param {string} folder where the page is built
 * @returns {Promise<{ origin: string, close: () => unknown }>}
 */
export async function serveHostPage(input, folder) {
  await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input, output: { entryFileNames: 'host.js' } },
    },
  })
  writeFileSync(
    join(folder, 'index.html'),
    // Chromium does not report long tasks of a frame that is not displayed.
    '<!doctype html><meta charset="utf-8"><style>iframe[hidden]{display:block!important}</style><body><script type="module" src="/host.js"></script>',
  )
  const pages = await servePages(folder, {})
  return { origin: pages.origin.replace('localhost', 'app.localhost'), close: pages.close }
}

/**
 * @returns {Promise<{ url: string, code: () => Promise<string>, close: () => unknown }>} `code`: from the latest text message
 */
export async function startPhone() {
  let code = ''
  const { server, port } = await listen(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    response.end('{}')
  })
  return { url: `http://127.0.0.1:${port}`, code: async () => code, close: () => server.close() }
}
