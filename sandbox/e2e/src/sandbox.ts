/** The sandbox of one test file: services on ports of their own, one browser, a fresh context for each visitor. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, startApp } from '@keybay/sandbox-app'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { type Phone, startPhone } from '@keybay/sandbox-wallets/phone'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Accounts, type AccountsOptions, freePort, startAccounts } from './accounts.js'
import { createVisitor, type Visitor } from './visitor.js'
import { startWalletServices, type WalletServices } from './wallet-services.js'

export interface VisitOptions extends BrowserContextOptions {
  /** Runs in every page before the page's own scripts. */
  readonly initScript?: () => void
  /** What the console may say because the test brings it about; anything else fails the test. */
  readonly expectTrouble?: RegExp
}
export interface Sandbox {
  readonly app: App
  readonly chain: Chain
  /** Of a sandbox that was asked for them. */
  readonly accounts: Accounts
  /** Of a sandbox that was asked for them. */
  readonly walletServices: WalletServices
  /** Of a sandbox that was asked for it. */
  readonly phone: Phone
  /** Of a sandbox that was asked for it: the social providers. */
  readonly identity: Identity
  /** The chain goes away, as when its process ends. */
  stopChain(): Promise<void>
  /** It comes back at the same address with what it had kept. */
  resumeChain(): Promise<void>
  /** A person with a browser of their own: nothing stored, nothing connected. */
  visit(path?: string, options?: VisitOptions): Promise<Visitor>
}

const REPORTS = fileURLToPath(new URL('../.reports', import.meta.url))
/** How long Chromium may take for one thing, ms. Not a pause: whatever is there earlier is taken earlier. */
const PATIENCE = 15_000

/** Nobody answers here; a page that asks all the same says so in the console, and the test fails. */
const NO_API = 'http://api.app.localhost:9/api/v0'

/** What a failed test looked like at its end. */
const takePictures = async (contexts: readonly BrowserContext[], test: string): Promise<void> => {
  const name = test.replace(/\W+/g, '-').slice(0, 60)
  const pages = contexts.flatMap(context => context.pages())
  await Promise.allSettled(pages.map((page, index) => page.screenshot({ path: `${REPORTS}/${name}-${index}.png` })))
}

export interface SandboxOptions {
  /** With the product API and the inbox. */
  readonly accounts?: AccountsOptions
  /** With the wallet frame and the relays; needs `accounts`. */
  readonly embeddedWallets?: boolean
  /** With the phone that has Phantom and Solflare. */
  readonly phone?: boolean
  /** With the 22 social providers; needs `accounts`. */
  readonly social?: boolean
  /** With Google Drive and iCloud for backups; needs `embeddedWallets`. */
  readonly drives?: boolean
}
/** Call it once at the top of a test file. After each test the console of every page must have been clean. */
export const setUpSandbox = (options: SandboxOptions = {}): Sandbox => {
  let app: App | undefined
  let chain: Chain | undefined
  let accounts: Accounts | undefined
  let walletServices: WalletServices | undefined
  let phone: Phone | undefined
  let identity: Identity | undefined
  let browser: Browser | undefined
  let dataDir = ''
  let visitors: Visitor[] = []
  let contexts: BrowserContext[] = []
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The sandbox is there from beforeAll on.')
    return part
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'keybay-e2e-'))
    // The API knows the addresses of app and frame, and the app that of the API.
    const [port, framePort] = await Promise.all([freePort(), freePort()])
    const launching = launchBrowser()
    chain = await startChain({ port: 0, dataDir })
    if (options.social || options.drives)
      identity = await startIdentity({
        cloudKitCallback: `http://wallet.localhost:${framePort}/waas-v1/local/granted`,
      })
    if (options.accounts) accounts = await startAccounts({ app: port, frame: framePort, identity }, options.accounts)
    if (accounts && options.embeddedWallets)
      walletServices = await startWalletServices({
        dataDir: accounts.dataDir,
        appPort: port,
        apiPort: accounts.api.port,
        chainPort: chain.port,
        framePort,
        identityUrl: identity?.url,
      })
    if (options.phone) phone = await startPhone({ chainUrl: chain.url })
    app = await startApp({
      port,
      chainUrl: chain.url,
      chainWsUrl: chain.wsUrl,
      apiUrl: accounts?.api.url ?? NO_API,
      inboxUrl: accounts?.inbox.url,
      frameUrl: walletServices?.frame.url,
      phoneUrl: phone?.url,
      relayUrl: walletServices?.relayUrl,
      // Where the relays look for the app's scheduler.
      dataDir: accounts && walletServices && join(accounts.dataDir, 'app'),
      identityUrl: identity?.url,
    })
    browser = await launching
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await takePictures(contexts, task.name)
    const troubles = visitors.flatMap(({ troubles }) => troubles)
    const opened = contexts
    visitors = []
    contexts = []
    await Promise.all(opened.map(context => context.close()))
    identity?.faults.clear()
    identity?.clock.reset()
    const clocks = [accounts?.api, walletServices?.relays.R1, walletServices?.relays.R2]
    await Promise.all(clocks.map(service => service?.resetClock()))
    if (troubles.length) throw new Error(`The pages said:\n${troubles.join('\n')}`)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    await chain?.stop()
    await phone?.stop()
    await identity?.stop()
    await walletServices?.stop()
    await accounts?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    get app() {
      return ready(app)
    },
    get chain() {
      return ready(chain)
    },
    get accounts() {
      return ready(accounts)
    },
    get walletServices() {
      return ready(walletServices)
    },
    get phone() {
      return ready(phone)
    },
    get identity() {
      return ready(identity)
    },
    stopChain: () => ready(chain).stop(),
    async resumeChain() {
      const { port, wsPort } = ready(chain)
      chain = await startChain({ port, wsPort, dataDir })
    },
    async visit(path = '/', { initScript, expectTrouble, ...options } = {}) {
      const context = await ready(browser).newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE)
      if (initScript) await context.addInitScript(initScript)
      const visitor = createVisitor(context, { base: ready(app).url, expectTrouble })
      visitors.push(visitor)
      await visitor.open(path)
      return visitor
    },
  }
}
