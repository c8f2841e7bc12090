/** Lists the site's files with their headers. `start-frame.ts` serves them, and `write-static.ts` writes them. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportPath, signPath } from '@keybay/turnkey/protocol'
import type { ExportConfiguration } from '../configuration/export.js'
import type { FrameConfiguration } from '../configuration/frame.js'
import { pagePath, returnPath } from '../configuration/paths.js'
import {
  assetHeaders,
  exportHeaders,
  type Headers,
  pageHeaders,
  recoverHeaders,
  returnHeaders,
  workerHeaders,
} from './headers.js'

export interface SiteFile {
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
}

const CLIENT: string = fileURLToPath(new URL('../client/', import.meta.url))
const EXPORT: string = fileURLToPath(new URL('../turnkey-export/', import.meta.url))
/** The name of the file that derives keys from passwords. */
export const WORKER = /^kdf-worker-[\w-]+\.js$/
const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The names of the built pages in the manifest. Environments are served below. */
export const FRAME_PAGE = '/waas-v1'
export const EXPORT_PAGE = '/turnkey-export-v1'

/** Returns a page as it was built, without a configuration. @throws Error if the page was not built */
export function readBuiltPage(page: 'frame' | 'export', client: string = CLIENT): Promise<Uint8Array> {
  return readFile(join(page === 'frame' ? client : EXPORT, 'index.html'))
}

/** Fills a page's meta element with its configuration. @throws Error if the built page has no element of that name */
function fillPage(page: Uint8Array, name: string, value: object): Uint8Array {
  const html = Buffer.from(page).toString()
  const place = `<meta name="${name}" content=""`
  if (!html.includes(place)) throw new Error(`The built page has no <meta name="${name}">.`)
  const json = JSON.stringify(value).replace(/[&<>"]/g, sign => escapes[sign] ?? sign)
  return Buffer.from(html.replace(place, () => place.replace('""', () => `"${json}"`)))
}

const RECOVER: string = fileURLToPath(new URL('../recover/index.html', import.meta.url))
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/

export async function readRecoverPage(): Promise<SiteFile> {
  const body = await readFile(RECOVER)
  return { path: '/recover', headers: recoverHeaders(findPolicy(body)), body }
}

/** Returns the policy that the recovery page states. @throws Error if it states none */
export function findPolicy(recoverPage: Uint8Array): string {
  const [, policy] = POLICY.exec(Buffer.from(recoverPage).toString()) ?? []
  if (policy === undefined) throw new Error('The recovery page has no policy.')
  return policy
}

/**
 * Keeps the files that the pages name, and those that these name in turn. The folder may have files of earlier builds,
 * which a build cache leaves behind.
 */
function keepNamed(
  files: ReadonlyMap<string, Uint8Array>,
  pages: readonly Uint8Array[],
): readonly [string, Uint8Array][] {
  const texts = pages.map(page => Buffer.from(page).toString())
  const named = new Map<string, Uint8Array>()
  for (const text of texts)
    for (const [name, body] of files) {
      if (named.has(name) || !text.includes(name)) continue
      named.set(name, body)
      texts.push(Buffer.from(body).toString())
    }
  return [...named].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Reads scripts and styles, by content hash. @throws Error if a page was not built, or has an unknown kind of file */
export async function readAssets(client: string = CLIENT): Promise<readonly SiteFile[]> {
  const folders = [client, EXPORT].map(built => join(built, 'assets'))
  const lists = await Promise.all(folders.map(async folder => (await readdir(folder)).map(name => join(folder, name))))
  const bodies = lists.flat().map(async file => [basename(file), await readFile(file)] as const)
  // A file shared by several pages has one name, because the name is a content hash.
  const files = new Map(await Promise.all(bodies))
  const pages = await Promise.all([readBuiltPage('frame', client), readBuiltPage('export')])
  return keepNamed(files, pages).map(([name, body]) => {
    const type = TYPES[extname(name)]
    if (type === undefined) throw new Error(`The built frame has a file of an unknown kind: ${name}`)
    return {
      path: `/assets/${name}`,
      headers: { ...(WORKER.test(name) ? workerHeaders : assetHeaders), 'content-type': type },
      body,
    }
  })
}

/** Reads the page where a provider's window ends. The same script recognises its purpose from the URL. */
export async function readReturnPage(environmentId: string, client: string = CLIENT): Promise<SiteFile> {
  return {
    path: returnPath(environmentId),
    headers: { ...returnHeaders, 'content-type': HTML },
    body: await readBuiltPage('frame', client),
  }
}

/** Reads the page of one environment, with its configuration. @throws Error if the page was not built */
export async function readPage(configuration: FrameConfiguration, client: string = CLIENT): Promise<SiteFile> {
  return {
    path: pagePath(configuration.environmentId),
    headers: { ...pageHeaders(configuration), 'content-type': HTML },
    body: fillPage(await readBuiltPage('frame', client), 'keybay:frame', configuration),
  }
}

type Page = readonly [path: string, build: () => Promise<SiteFile>]

/**
 * Lists the two pages of the custody window, which are one build: the first opens exports and reaches no node, the second
 * asks before signatures and simulates them. They throw an Error if the page was not built.
 */
export function listCustodyPages(environmentId: string, read: () => Promise<ExportConfiguration>): readonly Page[] {
  const build = async (path: string, configuration: ExportConfiguration) => ({
    path,
    headers: { ...exportHeaders(configuration), 'content-type': HTML },
    body: fillPage(await readBuiltPage('export'), 'keybay:turnkey-export', configuration),
  })
  const [opening, asking] = [exportPath(environmentId), signPath(environmentId)]
  return [
    [opening, async () => build(opening, { ...(await read()), environmentId, asks: false, rpcUrl: undefined })],
    [asking, async () => build(asking, { ...(await read()), environmentId, asks: true, signerPublicKey: undefined })],
  ]
}
