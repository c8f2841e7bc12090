/** Starts Chromium with a page that contains the frame's storage. */
import { createServer, type Server } from 'node:http'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { PageTools } from './storage-page.js'

declare global {
  interface Window {
    store: PageTools
  }
}

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"', __ARGON2_TEST_COST__: 'undefined' },
  })
  return outputFiles[0]?.text ?? ''
}

export interface InBrowser {
  newContext(): Promise<BrowserContext>
  /** Opens a page with `window.store`. */
  visit(context?: BrowserContext): Promise<Page>
}

/** Sets up the browser. Call once at the top of a test file. */
export function setUpBrowser(): InBrowser {
  let server: Server | undefined
  let browser: Browser | undefined
  let contexts: BrowserContext[] = []
  let address = ''
  const self: InBrowser = {
    async newContext() {
      if (!browser) throw new Error('The browser is there from beforeAll on.')
      const context = await browser.newContext()
      contexts.push(context)
      return context
    },
    async visit(context) {
      const page = await (context ?? (await self.newContext())).newPage()
      await page.goto(address)
      return page
    },
  }
  beforeAll(async () => {
    const [page, worker] = await Promise.all([
      bundle("import { pageTools } from './storage-page.js'; window.store = pageTools"),
      bundle("import { serveKdf } from '../src/page/password/kdf-worker.js'; serveKdf(self)"),
    ])
    const files = new Map([
      ['/page.js', page],
      ['/worker.js', worker],
    ])
    const made = createServer((request, response) => {
      const script = files.get(request.url ?? '')
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
      response.end(script ?? '<!doctype html><title>page</title><script type="module" src="/page.js"></script>')
    })
    server = made
    await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve))
    const bound = made.address()
    address = `http://localhost:${typeof bound === 'object' ? bound?.port : ''}`
    browser = await launchBrowser()
  }, 60_000)
  afterEach(async () => {
    const opened = contexts
    contexts = []
    await Promise.all(opened.map(context => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })
  return self
}
