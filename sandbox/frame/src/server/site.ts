/** Lists the site's files with their headers. `start-frame.ts` serves them, and `write-static.ts` writes them. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportPath } from '@keybay/turnkey/protocol'
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
/** The file that derives keys from passwords. */
const WORKER = /^kdf-worker-[\w-]+\.js$/
const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Fills a page's meta element with its configuration. @throws Error if the built page has no element of that name */
async function fill(file: string, name: string, value: object): Promise<Uint8Array> {
  const html = await readFile(file, 'utf8')
  const place = `<meta name="${name}" content=""`
  if (!html.includes(place)) throw new Error(`The built page has no <meta name="${name}">.`)
  const json = JSON.stringify(value).replace(/[&<>"]/g, sign => escapes[sign] ?? sign)
  return Buffer.from(html.replace(place, () => place.replace('""', () => `"${json}"`)))
}

const RECOVER: string = fileURLToPath(new URL('../recover/index.html', import.meta.url))
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/

export async function readRecoverPage(): Promise<SiteFile> {
  const body = await readFile(RECOVER)
  const [, policy] = POLICY.exec(body.toString()) ?? []
  if (policy === undefined) throw new Error('The built recovery page has no policy.')
  return { path: '/recover', headers: recoverHeaders(policy), body }
}

/** Reads scripts and styles, by content hash. @throws Error if a page was not built, or has an unknown kind of file */
export async function readAssets(client: string = CLIENT): Promise<readonly SiteFile[]> {
  const folders = [client, EXPORT].map(built => join(built, 'assets'))
  const lists = await Promise.all(folders.map(async folder => (await readdir(folder)).map(name => join(folder, name))))
  // A file shared by several pages has one name, because the name is a content hash.
  const files = new Map(lists.flat().map(file => [basename(file), file]))
  return Promise.all(
    [...files].toSorted().map(async ([name, file]) => {
      const type = TYPES[extname(name)]
      if (type === undefined) throw new Error(`The built frame has a file of an unknown kind: ${name}`)
      return {
        path: `/assets/${name}`,
        headers: { ...(WORKER.test(name) ? workerHeaders : assetHeaders), 'content-type': type },
        body: await readFile(file),
      }
    }),
  )
}

/** Reads the page where a provider's window ends. The same script recognises its purpose from the URL. */
export async function readReturnPage(environmentId: string, client: string = CLIENT): Promise<SiteFile> {
  return {
    path: returnPath(environmentId),
    headers: { ...returnHeaders, 'content-type': HTML },
    body: await readFile(join(client, 'index.html')),
  }
}

/** Reads the page of one environment, with its configuration. @throws Error if the page was not built */
export async function readPage(configuration: FrameConfiguration, client: string = CLIENT): Promise<SiteFile> {
  return {
    path: pagePath(configuration.environmentId),
    headers: { ...pageHeaders(configuration), 'content-type': HTML },
    body: await fill(join(client, 'index.html'), 'keybay:frame', configuration),
  }
}

/** Reads the page that opens an export of a custody wallet. @throws Error if the page was not built */
export async function readExportPage(environmentId: string, configuration: ExportConfiguration): Promise<SiteFile> {
  return {
    path: exportPath(environmentId),
    headers: { ...exportHeaders(configuration.parentOrigins), 'content-type': HTML },
    body: await fill(join(EXPORT, 'index.html'), 'keybay:turnkey-export', configuration),
  }
}
