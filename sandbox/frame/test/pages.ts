/** Serves test pages, and opens them in Chromium. */
import { createServer, type Server } from 'node:http'
import { shareBrowser } from '@keybay/sandbox-tools/launch-browser'
import { build } from 'esbuild'
import type { BrowserContext } from 'playwright-core'
import { afterEach } from 'vitest'

/** Bundles a file into one script. */
async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL(file, import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"', __ARGON2_TEST_COST__: 'undefined' },
  })
  return outputFiles[0]?.text ?? ''
}

export interface Listening {
  readonly port: number
  close(): void
}
/** Listens on a free port of this machine. */
export async function listenHere(server: Server): Promise<Listening> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Serves a page that runs the script of one file at `/page.js`, and other files at their paths. */
export async function servePage(file: string, others: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const files = Object.entries({ '/page.js': file, ...others })
  const scripts = new Map(await Promise.all(files.map(async ([path, file]) => [path, await bundle(file)] as const)))
  const page = '<!doctype html><title>host</title><body><script type="module" src="/page.js"></script>'
  return listenHere(
    createServer((request, response) => {
      const script = scripts.get(request.url ?? '')
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
      response.end(script ?? page)
    }),
  )
}

/** Call it once, at the top of a test file. @returns a function that opens a new profile, which the end of the test closes */
export function setUpBrowser(): () => Promise<BrowserContext> {
  let contexts: BrowserContext[] = []
  afterEach(async () => {
    const opened = contexts
    contexts = []
    await Promise.all(opened.map(context => context.close()))
  })
  return async () => {
    const context = await (await shareBrowser()).newContext()
    contexts.push(context)
    return context
  }
}
