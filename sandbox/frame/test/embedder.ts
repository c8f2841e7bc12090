/** Starts Chromium, the frame's real host, and pages of several origins that embed the frame. */
import { type FrameHost, fixed, startFrame } from '@keybay/sandbox-frame'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { FrameConfiguration } from '../src/configuration/frame.js'
import { type Listening, servePage, setUpBrowser } from './pages.js'

/** A public P-256 key. */
export const recordKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
} as const

/** Configuration of an operator's environment. */
export const acme = {
  environmentId: 'acme',
  baseApiUrl: 'https://api.acme.example/api/v0',
  relays: [{ party: 'R1', url: 'https://relay.acme.example/api/v0', recordKeys: [recordKey] }],
  parentOrigins: ['https://acme.example', 'https://shop.acme.example'],
}

export interface Embedder {
  /** URL of the frame's host. */
  url(): string
  /** Returns the origin of a page: `app` may embed, `evil` may not. */
  origin(name: 'app' | 'evil'): string
  /** Returns the frame's address as the kit builds it, with some parameters changed. */
  address(changes?: Readonly<Record<string, string>>): string
  /** Opens a page with `window.tools` in a new browser profile. */
  visit(name?: 'app' | 'evil'): Promise<Page>
  newContext(): Promise<BrowserContext>
}

/** Sets up an embedder for a test file. Call it once, at the top. @param changes of the configuration */
export function setUpEmbedder(changes: Partial<FrameConfiguration> = {}): Embedder {
  const newContext = setUpBrowser()
  const baseApiUrl = 'http://api.app.localhost:4100/api/v0'
  const relayUrl = 'http://localhost:4300/api/v0'
  let pages: Listening | undefined
  let frame: FrameHost | undefined
  const self: Embedder = {
    newContext,
    url: () => frame?.url ?? '',
    origin: name => `http://${name}.localhost:${pages?.port}`,
    address(changed = {}) {
      const query = new URLSearchParams({
        instanceId: 'instance-0001',
        hostOrigin: self.origin('app'),
        environmentId: 'local',
        baseApiUrl,
        baseMPCRelayApiUrl: relayUrl,
        sdkVersion: '0.1.0',
        ...changed,
      })
      return `${self.url()}/waas-v1/local?${query}`
    },
    async visit(name = 'app') {
      const page = await (await newContext()).newPage()
      await page.goto(self.origin(name))
      return page
    },
  }
  beforeAll(async () => {
    pages = await servePage('./page.ts')
    const configuration = {
      environmentId: 'local',
      baseApiUrl,
      relays: [{ party: 'R1', url: relayUrl, recordKeys: [recordKey] }],
      parentOrigins: [self.origin('app')],
      ...changes,
    }
    frame = await startFrame({ mode: 'sandbox', environments: fixed([configuration]) })
  }, 60_000)
  afterAll(async () => {
    await frame?.stop()
    pages?.close()
  })
  return self
}
