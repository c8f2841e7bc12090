/** The frame's site as a list of files with their headers: served by `start-frame.ts`, written by `write-static.ts`. */
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
  /** From the origin, with its slash. */
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
}

/** The built page of the frame. */
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

/** The page with what it needs to know in its meta element. @throws Error when the built page has none of that name */
async function fill(file: string, name: string, value: object): Promise<Uint8Array> {
  const html = await readFile(file, 'utf8')
  const place = `<meta name="${name}" content=""`
  if (!html.includes(place)) throw new Error(`The built page has no <meta name="${name}">.`)
  const json = JSON.stringify(value).replace(/[&<>"]/g, sign => escapes[sign] ?? sign)
  return Buffer.from(html.replace(place, () => place.replace('""', () => `"${json}"`)))
}

/** The built recovery page: one file. */
const RECOVER: string = fileURLToPath(new URL('../recover/index.html', import.meta.url))
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/

/** @throws Error when it was not built */
export async function readRecoverPage(): Promise<SiteFile> {
  const body = await readFile(RECOVER)
  const [, policy] = POLICY.exec(body.toString()) ?? []
  if (policy === undefined) throw new Error('The built recovery page has no policy.')
  return { path: '/recover', headers: recoverHeaders(policy), body }
}

/** Scripts and styles, by content hash. @throws Error when a page has not been built, or has a file of an unknown kind */
export async function readAssets(client: string = CLIENT): Promise<readonly SiteFile[]> {
  const folders = [client, EXPORT].map(built => join(built, 'assets'))
  const lists = await Promise.all(folders.map(async folder => (await readdir(folder)).map(name => join(folder, name))))
  // Pages that share a file have it by the same name, which is a hash of what it holds.
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

/** The page on which a provider's window ends: the same script, which sees by its address what it is for. */
export async function readReturnPage(environmentId: string, client: string = CLIENT): Promise<SiteFile> {
  return {
    path: returnPath(environmentId),
    headers: { ...returnHeaders, 'content-type': HTML },
    body: await readFile(join(client, 'index.html')),
  }
}

/** The page of one environment, with its configuration written in. @throws Error when the page has not been built */
export async function readPage(configuration: FrameConfiguration, client: string = CLIENT): Promise<SiteFile> {
  return {
    path: pagePath(configuration.environmentId),
    headers: { ...pageHeaders(configuration), 'content-type': HTML },
    body: await fill(join(client, 'index.html'), 'keybay:frame', configuration),
  }
}

/** The window in which an export of custody is opened. @throws Error when the page has not been built */
export async function readExportPage(environmentId: string, configuration: ExportConfiguration): Promise<SiteFile> {
  return {
    path: exportPath(environmentId),
    headers: { ...exportHeaders(configuration.parentOrigins), 'content-type': HTML },
    body: await fill(join(EXPORT, 'index.html'), 'keybay:turnkey-export', configuration),
  }
}
