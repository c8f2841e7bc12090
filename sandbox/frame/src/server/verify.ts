/** Compares what an operator's host serves with the manifest of a build, for a third party. */
import { exportPath, signPath } from '@keybay/turnkey/protocol'
import { readExportConfiguration } from '../configuration/export.js'
import { readConfiguration } from '../configuration/frame.js'
import { pagePath, returnPath } from '../configuration/paths.js'
import {
  assetHeaders,
  exportHeaders,
  type Headers as FrameHeaders,
  pageHeaders,
  plainHeaders,
  publicHeaders,
  recoverHeaders,
  returnHeaders,
  workerHeaders,
} from './headers.js'
import { getHash, type Manifest } from './manifest.js'
import { EXPORT_PAGE, FRAME_PAGE, findPolicy, WORKER } from './site.js'

/** Time to wait for one file, in ms. */
const TIMEOUT_MS = 30_000

/** Headers without effect on the page, which hosts and proxies add. Any other header that we do not send is reported. */
const NEUTRAL = new Set(
  [
    'accept-ranges age alt-svc cache-control connection content-encoding content-length content-type date etag',
    'keep-alive last-modified server strict-transport-security transfer-encoding vary via',
  ].flatMap(line => line.split(' ')),
)

export interface Finding {
  readonly path: string
  /** Difference. Absent: the file is the manifest's. */
  readonly problem?: string
}
export interface Verification {
  readonly findings: readonly Finding[]
  /** The environment's configuration, as its page states it. Compare it with what you know about the operator. */
  readonly configuration?: object
}

interface Served {
  readonly headers: Headers
  readonly body: Uint8Array
}

/**
 * Fetches every file of the site, without credentials.
 *
 * @param url address of the frame, e.g. `https://wallet.example.com/waas-v1/acme`
 * @returns one finding for each file
 * @example
 * const { findings } = await verifyFrame('https://wallet.example.com/waas-v1/acme', await createManifest())
 * findings.filter(({ problem }) => problem !== undefined)
 */
export async function verifyFrame(url: string, manifest: Manifest): Promise<Verification> {
  const { origin, pathname } = new URL(url)
  const environmentId = decodeURIComponent(pathname.split('/').at(-1) ?? '')
  const isPublic = url.startsWith('https:')
  const findings: Finding[] = []
  const check = async (path: string, compare: (served: Served) => void): Promise<void> => {
    try {
      compare(await fetchFile(`${origin}${path}`))
      findings.push({ path })
    } catch (error) {
      findings.push({ path, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  const page = (headers: FrameHeaders, name: string, configured: Uint8Array, served: Served): void => {
    compareHash(manifest, name, configured)
    compareHeaders(served.headers, { ...headers, 'content-type': HTML, ...(isPublic && publicHeaders) })
  }

  let configuration: object | undefined
  await check(pagePath(environmentId), served => {
    const { value, built } = takeConfiguration(served.body, 'keybay:frame')
    const read = readConfiguration(value)
    configuration = read
    if (read.environmentId !== environmentId) throw new Error(`is the page of ${read.environmentId}`)
    page(pageHeaders(read), FRAME_PAGE, built, served)
  })
  await check(returnPath(environmentId), served => page(returnHeaders, FRAME_PAGE, served.body, served))
  const opening = exportPath(environmentId)
  for (const path of [opening, signPath(environmentId)])
    if (await isServed(`${origin}${path}`))
      await check(path, served => {
        const { value, built } = takeConfiguration(served.body, 'keybay:turnkey-export')
        const read = readExportConfiguration(value)
        if (read.environmentId !== environmentId) throw new Error(`is the page of ${read.environmentId}`)
        if (read.asks !== (path !== opening)) throw new Error('is the other page of the custody window')
        if (path === opening && read.rpcUrl !== undefined) throw new Error('shows keys, and reaches a node')
        page(exportHeaders(read), EXPORT_PAGE, built, served)
      })
  for (const path of Object.keys(manifest.files)) {
    if (path === FRAME_PAGE || path === EXPORT_PAGE) continue
    await check(path, ({ headers, body }) => {
      compareHash(manifest, path, body)
      compareHeaders(headers, { ...headersOf(path, body), ...(isPublic && publicHeaders) })
    })
  }
  return { findings, ...(configuration && { configuration }) }
}

const HTML = 'text/html; charset=utf-8'

function headersOf(path: string, body: Uint8Array): FrameHeaders {
  if (path === '/recover') return recoverHeaders(findPolicy(body))
  return WORKER.test(path.replace('/assets/', '')) ? workerHeaders : assetHeaders
}

async function fetchFile(url: string): Promise<Served> {
  const response = await request(url).catch((error: unknown) => {
    throw new Error(`is not served: ${String(error)}`)
  })
  if (response.status !== 200) throw new Error(`answers ${response.status}`)
  return { headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) }
}

function request(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
}

async function isServed(url: string): Promise<boolean> {
  const response = await request(url)
  await response.body?.cancel()
  return response.status !== 404
}

/** Takes the configuration out of a page, which leaves the page as it was built. */
function takeConfiguration(body: Uint8Array, name: string): { value: unknown; built: Uint8Array } {
  const html = Buffer.from(body).toString()
  const start = `<meta name="${name}" content="`
  const from = html.indexOf(start)
  const to = html.indexOf('"', from + start.length)
  if (from < 0 || to < 0) throw new Error(`has no <meta name="${name}">`)
  const text = html.slice(from + start.length, to)
  const built = Buffer.from(html.slice(0, from + start.length) + html.slice(to))
  return { value: JSON.parse(unescapeHtml(text)), built }
}

const SIGNS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot);/g, entity => SIGNS[entity] ?? entity)
}

function compareHash(manifest: Manifest, name: string, body: Uint8Array): void {
  const expected = manifest.files[name]
  const hash = getHash(body)
  if (hash !== expected) throw new Error(`has the hash ${hash}, and not ${expected ?? 'one of the manifest'}`)
}

function compareHeaders(served: Headers, expected: FrameHeaders): void {
  for (const [name, value] of Object.entries(expected)) {
    const body = served.get(name)
    if (body !== value) throw new Error(`has the header ${name}: ${body ?? '(none)'}, and not ${value}`)
  }
  // The host adds these to every response that does not set them.
  const isAdded = (name: string) => plainHeaders[name] === served.get(name)
  const unknown = [...served.keys()].find(name => !(name in expected) && !NEUTRAL.has(name) && !isAdded(name))
  if (unknown !== undefined) throw new Error(`has a header that the frame does not send: ${unknown}`)
}
