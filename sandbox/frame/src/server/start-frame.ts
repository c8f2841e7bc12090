/** Serves the frame's site on 127.0.0.1. The set of its responses is fixed at startup. */
import { createServer, type ServerResponse } from 'node:http'
import { closeServer, listen, type StartOptions, StartUpCheck } from '@keybay/sandbox-service'
import { exportPath } from '@keybay/turnkey/protocol'
import { pagePath } from '../configuration/paths.js'
import type { Environments } from './environments.js'
import type { Exports } from './exports.js'
import { type Headers, plainHeaders, publicHeaders } from './headers.js'
import { readAssets, readExportPage, readPage, readRecoverPage, readReturnPage, type SiteFile } from './site.js'

export interface FrameOptions extends StartOptions {
  /** Port. Default: 0, which takes any free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** URL in a browser. Default: `http://wallet.localhost:<port>`. */
  readonly publicUrl?: string
  readonly environments: Environments
  /** Export windows of the custody service, by environment. Default: none. */
  readonly exports?: Exports
  /** Folder of the built page. Default: the production build. */
  readonly clientFolder?: string
  readonly log?: (line: string) => void
}
export interface FrameHost {
  /** URL in a browser, e.g. `http://wallet.localhost:4200`. */
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

const text: Headers = { ...plainHeaders, 'content-type': 'text/plain; charset=utf-8' }

/**
 * Starts the host. Resolves once the frame's pages can be loaded.
 *
 * @throws PortTakenError if the port is in use; StartUpError that lists what is wrong; Error with code `ENOENT` if the
 *   page was not built
 * @example
 * const frame = await startFrame({ mode: 'sandbox', port: 4200, environments: { local: async () => configuration } })
 * await frame.stop()
 */
export async function startFrame(options: FrameOptions): Promise<FrameHost> {
  const { host = '127.0.0.1', environments, exports = {}, clientFolder, log = () => undefined } = options
  const check = new StartUpCheck({ service: 'frame', ...options })
  const transport = check.isProduction ? publicHeaders : {}
  check.throwProblems()
  const returnPages = await Promise.all(Object.keys(environments).map(id => readReturnPage(id, clientFolder)))
  const recover = await readRecoverPage()
  const files = new Map([...(await readAssets(clientFolder)), recover, ...returnPages].map(file => [file.path, file]))
  const pages = new Map<string, () => Promise<SiteFile>>([
    ...Object.entries(environments).map(
      ([id, read]) => [pagePath(id), async () => readPage(await read(), clientFolder)] as const,
    ),
    ...Object.entries(exports).map(
      ([id, read]) => [exportPath(id), async () => readExportPage(id, await read())] as const,
    ),
  ])

  const server = createServer((request, response) => {
    const answer = (status: number, headers: Headers, body: string | Uint8Array) =>
      send(response, { status, headers: { ...headers, ...transport }, body: request.method === 'HEAD' ? '' : body })
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const file = files.get(path)
    const page = pages.get(path)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      answer(405, { ...text, allow: 'GET, HEAD' }, 'Only GET and HEAD are answered here.\n')
    else if (path === '/health')
      answer(200, { ...plainHeaders, 'content-type': 'application/json' }, JSON.stringify({ status: 'ok' }))
    else if (file) answer(200, file.headers, file.body)
    else if (page)
      page().then(
        built => answer(200, built.headers, built.body),
        (error: unknown) => {
          log(error instanceof Error ? error.message : String(error))
          answer(503, { ...text, 'retry-after': '1' }, 'The wallet is not ready yet: try again in a moment.\n')
        },
      )
    else if (path === '/') answer(200, text, `The wallet frame: ${[...pages.keys()].join(' ')}\n`)
    else answer(404, text, 'Page not found.\n')
  })
  const port = await listen(server, { service: 'frame', variable: 'FRAME_PORT', port: options.port ?? 0, host })
  const url = (options.publicUrl ?? `http://wallet.localhost:${port}`).replace(/\/$/, '')
  return { url, port, stop: () => closeServer(server) }
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers)
  response.end(body)
}
