/** Chromium, and one small server that serves every origin: app, wallet, and a stranger. */
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll } from 'vitest'

/** The frame host's response to a request for the frame. */
export type FrameHost = 'works' | 'says-nothing' | 'breaks-off'
export interface TwoOrigins {
  frameHost: FrameHost
  /** Requested paths of the frame host, with queries. */
  readonly asked: readonly URL[]
  url(name: 'app' | 'wallet' | 'evil'): string
  /** A page of the host, with `globalThis.host` in it. */
  visit(name?: 'app' | 'evil', path?: string): Promise<Page>
}

async function bundle(page: URL): Promise<string> {
  const input = fileURLToPath(page)
  const built = await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input, output: { codeSplitting: false } },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap(one => ('output' in one ? one.output : []))
  const chunk = outputs.find(output => output.type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error(`nothing was built of ${input}`)
  return chunk.code
}

function html(script: string) {
  return `<!doctype html><title>page</title><body><script type="module">${script}</script></body>`
}

/** Once at the top of a test file. */
export function setUpTwoOrigins(): TwoOrigins {
  let server: Server | undefined
  let browser: Browser | undefined
  let contexts: BrowserContext[] = []
  let port = 0
  let asked: URL[] = []
  let pages: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    const [host, frame] = await Promise.all([
      bundle(new URL('./pages/host.ts', import.meta.url)),
      bundle(new URL('./pages/frame.ts', import.meta.url)),
    ])
    pages = { host: html(host), frame: html(frame), silent: html('') }
    const made = createServer((request, response) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
      const isFrame = url.hostname.startsWith('wallet.')
      if (isFrame) asked.push(url)
      if (isFrame && self.frameHost === 'breaks-off') return request.socket.destroy()
      const page = isFrame ? (self.frameHost === 'works' ? pages.frame : pages.silent) : pages.host
      response.setHeader('content-type', 'text/html')
      response.end(url.pathname === '/empty' ? pages.silent : page)
    })
    server = made
    await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve))
    const address = made.address()
    port = typeof address === 'object' && address ? address.port : 0
    browser = await launchBrowser()
  }, 120_000)
  afterEach(async () => {
    const opened = contexts
    contexts = []
    await Promise.all(opened.map(context => context.close()))
    asked = []
    self.frameHost = 'works'
  })
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })
  const self: TwoOrigins = {
    frameHost: 'works',
    get asked() {
      return asked
    },
    url: name => `http://${name}.localhost:${port}`,
    async visit(name = 'app', path = '/') {
      if (!browser) throw new Error('The browser is there from beforeAll on.')
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(`${self.url(name)}${path}`)
      return page
    },
  }
  return self
}
