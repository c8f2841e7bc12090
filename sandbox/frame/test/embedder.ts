/** Starts Chromium, the frame's real host, and pages of several origins that embed the frame. */
import { createServer, type Server } from 'node:http'
import { type FrameHost, fixed, startFrame } from '@keybay/sandbox-frame'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { FrameConfiguration } from '../src/configuration/frame.js'

/** A public P-256 key. */
export const recordKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
} as const

export interface Embedder {
  readonly configuration: FrameConfiguration
  readonly frame: FrameHost
  /** Returns the origin of a page: `app` may embed, `evil` may not. */
  origin(name: 'app' | 'evil'): string
  /** Returns the frame's address as the kit builds it, with some parameters changed; undefined omits a parameter. */
  address(changes?: Readonly<Record<string, string | undefined>>): string
  /** Opens a page with `window.tools`, by default in a new browser profile. */
  visit(name?: 'app' | 'evil', context?: BrowserContext): Promise<Page>
  newContext(): Promise<BrowserContext>
}

/** Bundles a test's page into one script. */
export async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL(file, import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}
/** Listens on a free port of this machine. */
export async function listenHere(server: Server): Promise<{ readonly server: Server; readonly port: number }> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}

/** @param changes of the configuration, once the pages' origins are known */
export function setUpEmbedder(changes: Partial<FrameConfiguration> = {}): Embedder {
  let server: Server | undefined
  let browser: Browser | undefined
  let frame: FrameHost | undefined
  let configuration: FrameConfiguration | undefined
  let contexts: BrowserContext[] = []
  let port = 0
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('It is there from beforeAll on.')
    return part
  }
  const self: Embedder = {
    get configuration() {
      return ready(configuration)
    },
    get frame() {
      return ready(frame)
    },
    origin: name => `http://${name}.localhost:${port}`,
    address(changed = {}) {
      const { environmentId, baseApiUrl, relays } = self.configuration
      const given = {
        instanceId: 'instance-0001',
        hostOrigin: self.origin('app'),
        environmentId,
        baseApiUrl,
        baseMPCRelayApiUrl: relays[0]?.url,
        sdkVersion: '0.1.0',
        ...changed,
      }
      const known = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined)
      return `${self.frame.url}/waas-v1/${environmentId}?${new URLSearchParams(known)}`
    },
    async newContext() {
      const context = await ready(browser).newContext()
      contexts.push(context)
      return context
    },
    async visit(name = 'app', context) {
      const page = await (context ?? (await self.newContext())).newPage()
      await page.goto(self.origin(name))
      return page
    },
  }
  beforeAll(async () => {
    const code = await bundle('./page.ts')
    const listening = await listenHere(
      createServer((request, response) => {
        const isScript = request.url === '/page.js'
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        response.end(
          isScript ? code : '<!doctype html><title>page</title><body><script type="module" src="/page.js"></script>',
        )
      }),
    )
    server = listening.server
    port = listening.port
    configuration = {
      environmentId: 'local',
      baseApiUrl: 'http://api.app.localhost:4100/api/v0',
      relays: [{ party: 'R1', url: 'http://localhost:4300/api/v0', recordKeys: [recordKey] }],
      parentOrigins: [self.origin('app')],
      ...changes,
    }
    frame = await startFrame({ environments: fixed([configuration]) })
    browser = await launchBrowser()
  }, 60_000)
  afterEach(async () => {
    const opened = contexts
    contexts = []
    await Promise.all(opened.map(context => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    await frame?.stop()
    server?.closeAllConnections()
    server?.close()
  })
  return self
}
