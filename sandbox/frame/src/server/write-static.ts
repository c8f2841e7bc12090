/**
 * Writes the site as files (`npm run static -w sandbox/frame -- <folder>`), with a `_headers` file in the form that
 * Cloudflare Pages and Netlify read. Other hosts must set the same headers; a host that cannot is unsupported.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartUpCheck } from '@keybay/sandbox-service'
import { findSettingProblems } from '@keybay/sandbox-service/settings'
import { type Environments, readEnvironments } from './environments.js'
import { type Exports, readExports } from './exports.js'
import { publicHeaders } from './headers.js'
import { readManifestFiles } from './manifest.js'
import { SETTINGS } from './settings.js'
import { listCustodyPages, readAssets, readPage, readRecoverPage, readReturnPage, type SiteFile } from './site.js'

function block(path: string, { headers }: SiteFile): string {
  return [path, ...Object.entries({ ...headers, ...publicHeaders }).map(([name, value]) => `  ${name}: ${value}`)].join(
    '\n',
  )
}

/**
 * @returns the paths written
 * @example await writeStatic('out', fixed([configuration]))
 */
export async function writeStatic(folder: string, environments: Environments, exports: Exports = {}) {
  const assets = [...(await readAssets()), ...(await readManifestFiles())]
  const recover = await readRecoverPage()
  const pages = await Promise.all(Object.values(environments).map(async read => readPage(await read())))
  const custody = Object.entries(exports).flatMap(([id, read]) => listCustodyPages(id, read))
  const custodyPages = await Promise.all(custody.map(([, build]) => build()))
  const returnPages = await Promise.all(Object.keys(environments).map(id => readReturnPage(id)))
  const files = [
    ...assets.map(file => ({ file, name: file.path })),
    { file: recover, name: '/recover.html' },
    // Hosts serve `local.html` at `/waas-v1/local`, without a trailing slash.
    ...[...pages, ...returnPages, ...custodyPages].map(file => ({ file, name: `${file.path}.html` })),
  ]
  for (const { file, name } of files) {
    const target = join(folder, name)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, file.body)
  }
  const headers = [
    ...assets.map(file => block(file.path, file)),
    ...['/recover', '/recover.html'].map(path => block(path, recover)),
    ...[...pages, ...returnPages, ...custodyPages].flatMap(file => [
      block(file.path, file),
      block(`${file.path}.html`, file),
    ]),
  ]
  await writeFile(join(folder, '_headers'), `${headers.join('\n\n')}\n`)
  return [...files.map(({ name }) => name), '/_headers']
}

async function run(): Promise<void> {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Say where to: npm run static -w sandbox/frame -- <folder>')
  // The host of the files, not this program, has the public address.
  const { FRAME_PUBLIC_URL: _, ...settings } = SETTINGS
  new StartUpCheck({ service: 'frame', unsafe: findSettingProblems(process.env, settings, {}) }).throwProblems()
  for (const path of await writeStatic(folder, readEnvironments(process.env), readExports(process.env)))
    process.stdout.write(`${path}\n`)
}
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
