/** Serves the built app on 127.0.0.1: static files, and the one page for every URL that a user can open. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  aloneIn,
  closeServer,
  factsOfRequest,
  isLocalRequest,
  isStandInRequest,
  listen,
  MovableClock,
} from '@keybay/sandbox-service'
import type { CreateOnLogin } from '@keybay/waas'
import sirv from 'sirv'
import { answerAdmin } from './admin-clock.js'
import { chooseEncoding, createTag, encode } from './encoding.js'
import { createHostIssuer } from './host-issuer.js'
import { withMeta, withoutHomePage } from './page.js'
import { readJson } from './read-json.js'
import { startScheduler } from './scheduler/index.js'
import { answerScheduler, MAX_BODY } from './scheduler/routes.js'
import { FILE_HEADERS, pageHeaders } from './security-headers.js'

export interface AppOptions {
  /** Port to listen on; 0 picks a free one. */
  readonly port: number
  /** JSON-RPC URL of the local chain, e.g. `http://localhost:8899`. */
  readonly chainUrl: string
  /** WebSocket URL of the local chain, e.g. `ws://localhost:8900`. */
  readonly chainWsUrl: string
  /** Product API URL with its version, e.g. `http://api.app.localhost:4100/api/v0`. */
  readonly apiUrl: string
  /** Inbox for the sandbox's email and SMS, e.g. `http://localhost:4600`; without it no link is shown. */
  readonly inboxUrl?: string | undefined
  /** Environment of the product API. Default `local`. */
  readonly environmentId?: string | undefined
  /** Origin of the wallet frame. Default `http://wallet.localhost:4200`. */
  readonly frameUrl?: string | undefined
  /** Custody service URL, as a browser reaches it. Default `http://localhost:4400`. */
  readonly custodyUrl?: string | undefined
  /** URL of the phone with Phantom and Solflare. Default `http://phone.localhost:4700`. */
  readonly phoneUrl?: string | undefined
  /** Relay that the wallet frame uses. Default `http://localhost:4300/api/v0`. */
  readonly relayUrl?: string | undefined
  /** Users for whom signing in creates an embedded wallet, as in `waas()`. Default: the kit's. */
  readonly createOnLogin?: CreateOnLogin | undefined
  /** URL of the sandbox's identity providers, as a browser reaches them; without it, Apple's own script is used. */
  readonly identityUrl?: string | undefined
  /** The app's own folder, where the scheduler keeps its keys, shares and schedules; without it there is no scheduler. */
  readonly dataDir?: string | undefined
}
export interface App {
  /** URL for browsers: `http://app.localhost:4000`. */
  readonly url: string
  readonly port: number
  /** URL of the host's public keys for Node, which does not resolve `*.localhost`. */
  readonly jwksUrl: string
  stop(): Promise<void>
}

const CLIENT = fileURLToPath(new URL('../client/', import.meta.url))
/** Files named by content hash never change; everything else is revalidated. */
const HASHED = '/assets/'
const JWKS = '/.well-known/jwks.json'
const JSON_TYPE = 'application/json'

/** Path under which social providers redirect users back. */
const SOCIAL_RETURN = '/auth/social/'
/** Path of the Sign in with Apple script, both at Apple and in the sandbox. */
const APPLE_SCRIPT = '/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js'

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' })
  response.end(body)
}

function say(response: ServerResponse, status: number, sentence: string): void {
  answer(response, status, 'text/plain; charset=utf-8', `${sentence}\n`)
}

/** Sends a page in an encoding that the browser accepts, or 304 if the browser has it. */
async function answerPage(request: IncomingMessage, response: ServerResponse, page: string): Promise<void> {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const body = await encode(page, encoding)
  const tag = createTag(body)
  response.setHeader('vary', 'accept-encoding')
  response.setHeader('cache-control', 'no-cache')
  response.setHeader('etag', tag)
  if (request.headers['if-none-match'] === tag) return void response.writeHead(304).end()
  if (encoding) response.setHeader('content-encoding', encoding)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function getUrl(port = 0): string {
  return `http://app.localhost:${port}`
}

/** Returns true for a path whose last segment has no dot; other paths are files. */
function isPage(path: string): boolean {
  return !path.startsWith(HASHED) && !/\.\w+$/.test(path)
}

/** Fills in the defaults of the services' addresses. */
function withDefaults(options: AppOptions) {
  const { frameUrl = 'http://wallet.localhost:4200', relayUrl = 'http://localhost:4300/api/v0' } = options
  const { phoneUrl = 'http://phone.localhost:4700', custodyUrl = 'http://localhost:4400', identityUrl } = options
  const appleUrl = identityUrl && `${identityUrl}/apple${APPLE_SCRIPT}`
  const { inboxUrl = '', environmentId = 'local' } = options
  return { ...options, frameUrl, relayUrl, phoneUrl, custodyUrl, appleUrl, inboxUrl, environmentId }
}
type Settings = ReturnType<typeof withDefaults>

/** Reads the two pages for each visit, so that a rebuild while the server runs shows on reload. */
function createPages(settings: Settings) {
  const meta = {
    'keybay:chain-url': settings.chainUrl,
    'keybay:chain-ws-url': settings.chainWsUrl,
    'keybay:api-url': settings.apiUrl,
    'keybay:inbox-url': settings.inboxUrl,
    'keybay:environment-id': settings.environmentId,
    'keybay:frame-url': settings.frameUrl,
    'keybay:custody-url': settings.custodyUrl,
    'keybay:phone-url': settings.phoneUrl,
    'keybay:relay-url': settings.relayUrl,
    'keybay:apple-script-url': settings.appleUrl ?? '',
    'keybay:create-on-login': settings.createOnLogin ?? '',
  }
  return {
    readPage: async (path: string) => {
      const page = withMeta(await readFile(join(CLIENT, 'index.html'), 'utf8'), meta)
      return path === '/' ? page : withoutHomePage(page)
    },
    readReturnPage: () => readFile(join(CLIENT, 'social-return.html'), 'utf8'),
  }
}

type Pages = ReturnType<typeof createPages>

/** Starts the scheduler, unless the app has no folder. Two schedulers on one folder would pay twice. */
async function startPrograms({ dataDir: folder, relayUrl, environmentId, chainUrl }: Settings) {
  const clock = new MovableClock()
  const start = (folder: string) => startScheduler({ folder, clock, relayUrl, environmentId, chainUrl })
  const scheduler = folder ? await aloneIn(folder, () => start(folder)) : undefined
  /** Handles requests from programs on this machine. @returns whether the request was one of them */
  const handle = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    if (!scheduler || !/^\/(scheduler|admin)(\/|$)/.test(path)) return false
    // Reject pages of other origins, whatever host name they use for this server.
    if (!isLocalRequest(factsOfRequest(request))) {
      say(response, 403, 'The scheduler is for this machine alone.')
      return true
    }
    const parsedRequest = { method: request.method, path, json: () => readJson(request, MAX_BODY) }
    const { status, body } =
      (await answerScheduler(scheduler, parsedRequest)) ?? (await answerAdmin(clock, parsedRequest))
    answer(response, status, JSON_TYPE, JSON.stringify(body))
    return true
  }
  return { handle, stop: async () => scheduler?.stop() }
}
type Programs = Awaited<ReturnType<typeof startPrograms>>

/** Answers everything that a browser requests. */
async function createSite(settings: Settings, { readPage, readReturnPage }: Pages, programs: Programs) {
  const { chainUrl, chainWsUrl, apiUrl, custodyUrl, frameUrl } = settings
  const issuer = await createHostIssuer(settings.environmentId)
  const appleUrl = settings.appleUrl ?? `https://appleid.cdn-apple.com${APPLE_SCRIPT}`
  const ofPages = pageHeaders([chainUrl, chainWsUrl, apiUrl, custodyUrl], frameUrl, appleUrl)
  const files = sirv(CLIENT, {
    dev: true,
    etag: true,
    extensions: [],
    brotli: true,
    gzip: true,
    setHeaders: (response, path) => {
      if (path.startsWith(HASHED)) response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    },
  })
  const sendFile = (request: IncomingMessage, response: ServerResponse) => {
    // sirv does not read the weights of this header.
    request.headers['accept-encoding'] = chooseEncoding(request.headers['accept-encoding']) ?? ''
    files(request, response, () => say(response, 404, 'File not found.'))
  }
  const issueToken = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isLocalRequest(factsOfRequest(request))) return say(response, 403, 'Tokens are for this machine alone.')
    const token = await issuer.issue(getUrl(request.socket.localPort), await readJson(request))
    if (token) answer(response, 200, JSON_TYPE, JSON.stringify({ token }))
    else say(response, 400, 'Send { "user": "…" } as JSON: 1 to 64 letters, digits, or any of . _ @ -')
  }
  const sendPage = (request: IncomingMessage, response: ServerResponse, path: string) => {
    const isReturn = path.startsWith(SOCIAL_RETURN)
    // With its own opener policy the window could not reach the page that opened it.
    if (isReturn) response.setHeader('cross-origin-opener-policy', 'unsafe-none')
    const read = isReturn ? readReturnPage() : readPage(path)
    read.then(
      page => answerPage(request, response, page),
      () => say(response, 503, 'The app is being built: reload in a moment.'),
    )
  }
  return async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '/' } = request
    const [path = '/'] = url.split('?')
    response.setHeaders(new Map(Object.entries(isPage(path) ? ofPages : FILE_HEADERS)))
    if (!isStandInRequest(factsOfRequest(request)))
      return say(response, 403, 'This is the sandbox’s demo app. It answers no public name.')
    const isAnswered = await programs.handle(request, response, path).catch(error => {
      console.error(`app: ${error instanceof Error ? error.message : error}`)
      say(response, 500, 'That did not work. The log of the app says why.')
      return true
    })
    if (isAnswered) return
    if (method === 'POST' && path === '/host-token') return issueToken(request, response)
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      say(response, 405, 'Only GET and HEAD are answered here.')
    } else if (path === JWKS) answer(response, 200, JSON_TYPE, issuer.keySet)
    else if (isPage(path)) sendPage(request, response, path)
    else sendFile(request, response)
  }
}

/**
 * Starts the server; resolves when the app responds.
 *
 * @example
 * const app = await startApp({
 *   port: 0, chainUrl: 'http://localhost:8899', chainWsUrl: 'ws://localhost:8900', apiUrl: 'http://localhost:4100/api/v0',
 * })
 * await app.stop()
 * @throws PortTakenError; Error when the app was not built; Error that names the folder when another process uses it
 */
export async function startApp(options: AppOptions): Promise<App> {
  const settings = withDefaults(options)
  const pages = createPages(settings)
  // Fails here if the app was not built, before the scheduler takes its folder.
  await Promise.all([pages.readPage('/'), pages.readReturnPage()]).catch(cause => {
    throw new Error('app cannot start: it has not been built. Run `npm run build` first.', { cause })
  })
  const programs = await startPrograms(settings)
  const server = createServer(await createSite(settings, pages, programs))
  const place = { service: 'app', variable: 'APP_PORT', port: options.port, host: '127.0.0.1' }
  const port = await listen(server, place).catch(async error => {
    await programs.stop()
    throw error
  })
  return {
    url: getUrl(port),
    port,
    jwksUrl: `http://127.0.0.1:${port}${JWKS}`,
    async stop() {
      await programs.stop()
      await closeServer(server, 0)
    },
  }
}
