/** The frame's site as a list of files with their headers: served by `start-frame.ts`, written by `write-static.ts`. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FrameConfiguration, returnPath } from '@keybay/waas/frame'
import { assetHeaders, type Headers, pageHeaders, recoverHeaders, returnHeaders } from './headers.js'

export interface SiteFile {
  /** From the origin, with its slash. */
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Where Vite puts the page. */
const BUILT: string = fileURLToPath(new URL('../client/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const PLACE = '<meta name="keybay:frame" content=""'

/** Where the page for the day without any service is: one file, which a person keeps. */
const RECOVER: string = fileURLToPath(new URL('../recover/index.html', import.meta.url))
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/

/** @throws Error when it was not built */
export const readRecoverPage = async (): Promise<SiteFile> => {
  const body = await readFile(RECOVER)
  const [, policy] = POLICY.exec(body.toString()) ?? []
  if (policy === undefined) throw new Error('The built recovery page has no policy.')
  return { path: '/recover', headers: recoverHeaders(policy), body }
}

/** The path of an environment's page. */
export const pagePath = (environmentId: string): string => `/waas-v1/${encodeURIComponent(environmentId)}`

/** Scripts and styles, by content hash. @throws Error when the page has not been built, or has a file of an unknown kind */
export const readAssets = async (): Promise<readonly SiteFile[]> => {
  const names = (await readdir(join(BUILT, 'assets'))).toSorted()
  return Promise.all(
    names.map(async name => {
      const type = TYPES[extname(name)]
      if (type === undefined) throw new Error(`The built frame has a file of an unknown kind: ${name}`)
      return {
        path: `/assets/${name}`,
        headers: { ...assetHeaders, 'content-type': type },
        body: await readFile(join(BUILT, 'assets', name)),
      }
    }),
  )
}

/** The page on which a provider's window ends: the same script, which sees by its address what it is for. */
export const readReturnPage = async (environmentId: string): Promise<SiteFile> => ({
  path: returnPath(environmentId),
  headers: { ...returnHeaders, 'content-type': 'text/html; charset=utf-8' },
  body: await readFile(join(BUILT, 'index.html')),
})

/** The page of one environment, with its configuration written in. @throws Error when the page has not been built */
export const readPage = async (configuration: FrameConfiguration): Promise<SiteFile> => {
  const html = await readFile(join(BUILT, 'index.html'), 'utf8')
  if (!html.includes(PLACE)) throw new Error('The built frame has no <meta name="keybay:frame">.')
  const json = JSON.stringify(configuration).replace(/[&<>"]/g, sign => escapes[sign] ?? sign)
  return {
    path: pagePath(configuration.environmentId),
    headers: { ...pageHeaders(configuration), 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(html.replace(PLACE, () => PLACE.replace('""', () => `"${json}"`))),
  }
}
