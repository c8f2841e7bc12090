/** Serves one folder of built pages, and nothing else. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { listen } from './measured.mjs'

/** @type {Readonly<Record<string, string>>} */
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' }

// Cross-origin isolated pages have a clock of 5 µs instead of 100.
const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} [headers]
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
export async function servePages(folder, headers = isolated) {
  const server = createServer(async (request, response) => {
    // A parsed URL contains no `..`.
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const body = await readFile(file).catch(() => undefined)
    if (!body) return response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', ...headers })
      .end(body)
  })
  return {
    origin: `http://localhost:${await listen(server)}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
