/** All that an MPC wallet needs, real: inbox, API, both relays, chain, frame host, and a host's page in Chromium. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, askLocalRelay, startApi } from '@keybay/sandbox-api'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { type FrameHost, fixed, startFrame } from '@keybay/sandbox-frame'
import { TEST_CLIENT } from '@keybay/sandbox-frame/sandbox'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { type Relay, startRelay } from '@keybay/sandbox-relay'
import { freePort } from '@keybay/sandbox-service/free-port'
import { atEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import type { DelegateListing } from '@keybay/waas/delegate'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { makeApiToken } from './api-token.js'
import { bundle, listenHere } from './embedder.js'

/** A page's own storage for backups; envelopes in base64. */
export type Keeper = (
  action: 'save' | 'load' | 'erase',
  name: { readonly walletId: string; readonly epoch: number },
  envelope?: string,
) => string | undefined | Promise<string | undefined>

export interface World {
  readonly api: Api
  readonly chain: Chain
  /** Google's and Apple's drives; of a world that was asked for them. */
  readonly identity: Identity
  /** A user with a browser profile of their own, at a page of the host. */
  visit(context?: BrowserContext, site?: string, keeper?: Keeper): Promise<Page>
  /** @param isStorageBlocked as where a browser lets frames of other sites keep nothing */
  newContext(options?: { readonly isStorageBlocked?: boolean }): Promise<BrowserContext>
  /** Signs in on a page; a new user each time, unless the address is one that was used. */
  signIn(page: Page, address?: string): Promise<string>
  /** R1 goes away, as when its process ends. */
  stopRelay(): Promise<void>
  /** It comes back at the same address with what it had kept. */
  resumeRelay(): Promise<void>
  /** Both relays go for good, and all that they had kept; the product API too. */
  loseOperator(): Promise<void>
  /** The code of the next mail to an address. */
  codeFor(address: string): Promise<string>
  /** The code of an authenticator app; each serves once, so the services' clocks are moved by one step. */
  nextTotp(secret: string): string
  /** Moves the relays' clocks, ms. */
  advanceRelays(ms: number): void
  /** Paths of the requests that R1 got, without answers to CORS questions. */
  readonly requests: string[]
}

let people = 0

export interface WorldOptions {
  /** With Google's and Apple's drives for backups. */
  readonly drives?: boolean
  /** Servers that the operator lists. */
  readonly delegates?: readonly DelegateListing[]
  /** Starts services for this file alone: it stops them, or needs its own. */
  readonly alone?: boolean
  /** Serves the production page, whose backups other programs can open. Needs `alone`. */
  readonly production?: boolean
}
interface Services {
  readonly world: World
  start(): Promise<void>
  /** What a test leaves behind. */
  tidy(): Promise<void>
  /** The clocks of all services tell the time again. */
  resetClocks(): void
  stop(): Promise<void>
}

/** With drives, and without: to start one takes seconds, its people are new in every test, and so the files of a run share it. */
const shared = new Map<boolean, Services>()

function share(drives: boolean): Services {
  const known = shared.get(drives)
  if (known) return known
  const made = createServices(drives)
  shared.set(drives, made)
  atEndOfRun(made.stop)
  return made
}

/** Once at the top of a test file. */
export function setUpWorld({
  drives = false,
  delegates = [],
  production = false,
  alone = delegates.length > 0 || production,
}: WorldOptions = {}): World {
  const services = alone ? createServices(drives, delegates, production) : share(drives)
  beforeAll(services.start, 120_000)
  afterEach(async ({ task }) => {
    // What a test left half-done must not fail the tests of the next file.
    if (task.result?.state === 'fail') shared.delete(drives)
    await services.tidy()
  })
  afterAll(alone ? services.stop : services.resetClocks)
  return services.world
}

function createServices(drives: boolean, delegates: readonly DelegateListing[] = [], production = false): Services {
  const parts: {
    api?: Api | undefined
    chain?: Chain
    inbox?: Inbox
    identity?: Identity
    relays?: [Relay, Relay] | undefined
    frame?: FrameHost
    browser?: Browser
    strict?: Browser | undefined
    server?: Server
  } = {}
  let contexts: BrowserContext[] = []
  let folder = ''
  let origins: readonly string[] = []
  const requests: string[] = []
  /** Address → the last mail that was read. */
  const read = new Map<string, string>()
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('It is there from beforeAll on.')
    return part
  }
  const sites = ['app', 'other']
  let restart: (() => Promise<Relay>) | undefined

  const self: World = {
    requests,
    get api() {
      return ready(parts.api)
    },
    get chain() {
      return ready(parts.chain)
    },
    get identity() {
      return ready(parts.identity)
    },
    async newContext({ isStorageBlocked = false } = {}) {
      if (isStorageBlocked) parts.strict ??= await launchBrowser({ isStorageBlocked })
      const browser = isStorageBlocked ? parts.strict : parts.browser
      const context = await ready(browser).newContext({ acceptDownloads: true })
      context.setDefaultTimeout(45_000)
      contexts.push(context)
      return context
    },
    async visit(context, site = 'app', keeper) {
      const page = await (context ?? (await self.newContext())).newPage()
      await page.exposeFunction('codeFor', self.codeFor)
      await page.exposeFunction('totp', (secret: string) => totpAt(secret, self.api.clock.now()))
      const [r1] = ready(parts.relays)
      page.on('request', request => {
        if (request.url().startsWith(r1.url) && request.method() === 'POST')
          requests.push(new URL(request.url()).pathname.replace('/api/v0/sdk/local', ''))
      })
      if (keeper) await page.exposeFunction('keepBackup', keeper)
      const urls = { api: self.api.url, frame: ready(parts.frame).url, relay: r1.url }
      const query = new URLSearchParams({ ...urls, ...(keeper && { keeper: 'host' }) })
      await page.goto(`${origins[sites.indexOf(site)]}/?${query}`)
      await page.waitForFunction(() => 'host' in window)
      return page
    },
    async signIn(page, address = `person-${++people}-${Date.now()}@example.com`) {
      await page.evaluate(address => window.host.signIn(address), address)
      return address
    },
    async codeFor(address) {
      // A second sign-in of one address waits for its own mail.
      const query = new URLSearchParams({ to: address, wait: '5000', after: read.get(address) ?? '' })
      const url = `http://127.0.0.1:${ready(parts.inbox).port}/api/messages/latest?${query}`
      const message: { readonly id: string; readonly text: string } = await (await fetch(url)).json()
      read.set(address, message.id)
      return /\b(\d{6})\b/.exec(message.text)?.[1] ?? ''
    },
    nextTotp(secret) {
      self.api.clock.advance(30_000)
      self.advanceRelays(30_000)
      return totpAt(secret, self.api.clock.now())
    },
    advanceRelays(ms) {
      for (const { clock } of ready(parts.relays)) clock.advance(ms)
    },
    async stopRelay() {
      await ready(parts.relays)[0].stop()
    },
    async loseOperator() {
      const { relays = [], api } = parts
      parts.relays = undefined
      parts.api = undefined
      for (const relay of relays) await relay.stop()
      await api?.stop()
      for (const party of [1, 2]) await rm(join(folder, `relay-${party}`), { recursive: true, force: true })
    },
    async resumeRelay() {
      if (restart) ready(parts.relays)[0] = await restart()
    },
  }

  const start = async () => {
    folder = await mkdtemp(join(tmpdir(), 'keybay-frame-'))
    const script = await bundle('./host.ts')
    const { server, port } = await listenHere(
      createServer((request, response) => {
        const isScript = request.url === '/page.js'
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        response.end(
          isScript ? script : '<!doctype html><title>host</title><body><script type="module" src="/page.js"></script>',
        )
      }),
    )
    parts.server = server
    origins = sites.map(name => `http://${name}.localhost:${port}`)
    // Its port has to be known to the relays, whose keys it has to know.
    const framePort = await freePort()
    const frameUrl = `http://wallet.localhost:${framePort}`

    parts.inbox = await startInbox()
    parts.chain = await startChain({ port: 0, dataDir: join(folder, 'chain') })
    const ports = [await freePort(), await freePort()]
    parts.api = await startApi({
      environments: {
        local: {
          name: 'Acme',
          allowedOrigins: [...origins],
          frameOrigins: [frameUrl],
          embeddedWallets: { enabled: true },
        },
      },
      smtpUrl: parts.inbox.smtpUrl,
      smsUrl: `http://127.0.0.1:${parts.inbox.port}/sms`,
      recordKeys: askLocalRelay(`http://127.0.0.1:${ports[0]}/api/v0`),
      limitFactor: 100,
    })
    const { api, chain } = parts
    const environments = {
      local: {
        apiUrl: api.internalUrl,
        issuer: `${api.url}/sdk/local`,
        hostOrigins: [...origins],
        frameOrigins: [frameUrl],
        rpcUrl: chain.url.replace('localhost', '127.0.0.1'),
        delegates: [...delegates],
      },
    }
    const startParty = (party: 1 | 2) =>
      startRelay({
        party,
        port: ports[party - 1] ?? 0,
        dataDir: join(folder, `relay-${party}`),
        environments,
        peerUrl: `http://127.0.0.1:${ports[2 - party]}/api/v0`,
        apiToken: async () => makeApiToken(api),
        limitFactor: 100,
        log: line => {
          if (line.level === 'error') console.error(line)
        },
      })
    parts.relays = [await startParty(1), await startParty(2)]
    restart = () => startParty(1)
    const keys = async ({ internalUrl }: Relay): Promise<object> => {
      const answer: { readonly recordKeys: readonly Record<string, unknown>[]; readonly sealingKey: string } = await (
        await fetch(`${internalUrl}/party`)
      ).json()
      const recordKeys = answer.recordKeys.map(({ kty, crv, x, y }) => ({ kty, crv, x, y }))
      return { recordKeys, sealingKey: answer.sealingKey }
    }
    const configuration = {
      environmentId: 'local',
      baseApiUrl: api.url,
      relays: [
        { party: 'R1', url: parts.relays[0].url, ...(await keys(parts.relays[0])) },
        { party: 'R2', url: parts.relays[1].url, ...(await keys(parts.relays[1])) },
      ],
      parentOrigins: origins,
    }
    if (drives) parts.identity = await startIdentity({ cloudKitCallback: `${frameUrl}/waas-v1/local/granted` })
    const backup = parts.identity && driveConfiguration(parts.identity.url)
    parts.frame = await startFrame({
      port: framePort,
      environments: fixed([{ ...configuration, backup }]),
      ...(!production && { clientFolder: TEST_CLIENT }),
    })
    parts.browser = await launchBrowser()
  }
  const tidy = async () => {
    const opened = contexts
    contexts = []
    requests.length = 0
    await Promise.all(opened.map(context => context.close()))
  }
  const resetClocks = () => {
    parts.identity?.clock.reset()
    parts.api?.clock.reset()
    for (const { clock } of parts.relays ?? []) clock.reset()
  }
  const stop = async () => {
    await parts.browser?.close()
    await parts.strict?.close()
    await parts.frame?.stop()
    for (const relay of parts.relays ?? []) await relay.stop()
    await parts.api?.stop()
    await parts.chain?.stop()
    await parts.inbox?.stop()
    await parts.identity?.stop()
    parts.server?.closeAllConnections()
    parts.server?.close()
    await rm(folder, { recursive: true, force: true })
  }
  let started: Promise<void> | undefined
  return {
    world: self,
    start() {
      started ??= start()
      return started
    },
    tidy,
    resetClocks,
    stop,
  }
}

function driveConfiguration(url: string) {
  return {
    googleDrive: { apiUrl: url, authorizeUrl: `${url}/google/o/oauth2/v2/auth`, clientId: 'keybay-google' },
    icloud: {
      apiUrl: url,
      container: 'iCloud.dev.keybay.sandbox',
      environment: 'development',
      apiToken: 'keybay-sandbox',
      contentUrls: [],
    },
  }
}

/** The frame that the user sees, or the hidden one. */
export async function frameOf(page: Page, kind: 'hidden' | 'visible'): Promise<Frame> {
  const selector = kind === 'hidden' ? 'iframe[hidden]' : 'iframe:not([hidden])'
  // A frame that did not load in time is taken away, and another one comes.
  for (;;) {
    const handle = await page.waitForSelector(selector, { state: 'attached' })
    const frame = await handle.contentFrame()
    if (frame) return frame
  }
}
