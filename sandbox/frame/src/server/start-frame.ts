/** Serves the frame's site on 127.0.0.1. The set of its responses is fixed at startup. */
import {
  defineService,
  type ServiceOptions,
  type ServiceParts,
  type ServicePlace,
} from '@keybay/sandbox-service/define-service'
import { describeError } from '@keybay/sandbox-service/json'
import { pagePath } from '../configuration/paths.js'
import type { Environments } from './environments.js'
import type { Exports } from './exports.js'
import { plainHeaders, publicHeaders } from './headers.js'
import { readManifestFiles } from './manifest.js'
import { listCustodyPages, readAssets, readPage, readRecoverPage, readReturnPage, type SiteFile } from './site.js'

type Served = 'port' | 'host' | 'publicUrl' | 'log' | 'metrics' | 'mode' | 'invalid' | 'unsafe' | 'isTraced'

export interface FrameOptions extends Pick<ServiceOptions, Served> {
  readonly environments: Environments
  /** Export windows of the custody service, by environment. Default: none. */
  readonly exports?: Exports
  /** Folder of the built page. Default: the production build. */
  readonly clientFolder?: string
}
export interface FrameHost {
  /** URL in a browser, e.g. `http://wallet.localhost:4200`. */
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

const start = defineService<FrameOptions, object>({
  name: 'frame',
  localName: () => 'wallet.localhost',
  headers: ({ isProduction }) => ({ ...plainHeaders, ...(isProduction && publicHeaders) }),
  create,
})

/**
 * Starts the host. Resolves once the frame's pages can be loaded.
 *
 * @throws PortTakenError if the port is in use; StartUpError that lists what is wrong; Error with code `ENOENT` if the
 *   page was not built
 * @example
 * const frame = await startFrame({ mode: 'sandbox', port: 4200, environments: { local: async () => configuration } })
 * await frame.stop()
 */
export function startFrame(options: FrameOptions): Promise<FrameHost> {
  return start(options)
}

async function create({ options, check, log, addReadiness }: ServiceParts<FrameOptions>) {
  check.throwProblems()
  const files = await readFiles(options)
  const pages = listPages(options)
  addReadiness(async () => void (await Promise.all([...pages.values()].map(build => build()))))
  return ({ app }: ServicePlace) => {
    app.get('*', async c => {
      const { path } = c.req
      const build = pages.get(path)
      try {
        const file = files.get(path) ?? (await build?.())
        if (file) return c.body(Uint8Array.from(file.body), 200, file.headers)
      } catch (error) {
        log({ level: 'error', message: 'page not ready', path, error: describeError(error) })
        return c.text('The wallet is not ready yet: try again in a moment.\n', 503, { 'retry-after': '1' })
      }
      if (path === '/') return c.text(`The wallet frame: ${[...pages.keys()].join(' ')}\n`)
      return c.text('Page not found.\n', 404)
    })
    app.all('*', c => c.text('Only GET and HEAD are answered here.\n', 405, { allow: 'GET, HEAD' }))
    return { facts: {} }
  }
}

/** Reads the responses that never change, by path. */
async function readFiles({ environments, clientFolder }: FrameOptions): Promise<ReadonlyMap<string, SiteFile>> {
  const returnPages = Object.keys(environments).map(id => readReturnPage(id, clientFolder))
  const files = [
    ...(await readAssets(clientFolder)),
    await readRecoverPage(),
    ...(await readManifestFiles(clientFolder)),
    ...(await Promise.all(returnPages)),
  ]
  return new Map(files.map(file => [file.path, file]))
}

/** Lists the functions that build the pages, by path. */
function listPages({ environments, exports = {}, clientFolder }: FrameOptions) {
  return new Map<string, () => Promise<SiteFile>>([
    ...Object.entries(environments).map(
      ([id, read]) => [pagePath(id), async () => readPage(await read(), clientFolder)] as const,
    ),
    ...Object.entries(exports).flatMap(([id, read]) => listCustodyPages(id, read)),
  ])
}
