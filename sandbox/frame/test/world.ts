/** The services of an embedded wallet, which the test files of a run share. */
import { atEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import { shareBrowser } from '@keybay/sandbox-tools/launch-browser'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ServiceOptions, SITES, startServices, type WorldServices } from './world-services.js'

/** A page's own storage for backups; envelopes in base64. */
export type Keeper = (
  action: 'save' | 'load' | 'erase',
  name: { readonly walletId: string; readonly epoch: number },
  envelope?: string,
) => string | undefined | Promise<string | undefined>

let users = 0

/** Services without and with drives. They take seconds to start, and users are new in each test, so all files share them. */
const shared = new Map<boolean, World>()

function share(drives: boolean): World {
  const running = shared.get(drives) ?? new World({ drives })
  if (!shared.has(drives)) atEndOfRun(running.stop)
  shared.set(drives, running)
  return running
}

/** Sets up a world for a test file. Call it once, at the top. */
export function setUpWorld(options: ServiceOptions = {}): World {
  const { drives = false, production = false, traced } = options
  // Such services serve this file alone.
  const alone = production || traced !== undefined
  const running = alone ? new World(options) : share(drives)
  beforeAll(running.start, 120_000)
  afterEach(async ({ task }) => {
    // The next file must not fail because of a test that stopped half-way.
    if (task.result?.state === 'fail') shared.delete(drives)
    await running.closeContexts()
  })
  afterAll(alone ? running.stop : running.resetClocks)
  return running
}

export class World {
  /** Paths of the POST requests to R1. */
  readonly requests: string[] = []
  readonly #options: ServiceOptions
  #contexts: BrowserContext[] = []
  #services: WorldServices | undefined
  #starting: Promise<WorldServices> | undefined

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  get #running(): WorldServices {
    if (!this.#services) throw new Error('The services start in beforeAll.')
    return this.#services
  }
  get chain() {
    return this.#running.chain
  }
  /** Google's and Apple's drives, if `drives` is set. */
  get identity() {
    const { identity } = this.#running
    if (!identity) throw new Error('Set `drives` to use the drives.')
    return identity
  }

  readonly start = async (): Promise<void> => {
    this.#starting ??= startServices(this.#options)
    this.#services = await this.#starting
  }
  readonly stop = async (): Promise<void> => {
    await this.#services?.stop()
  }
  /** Leaves a browser profile open at the end of the test. */
  keepContext(context: BrowserContext): void {
    this.#contexts = this.#contexts.filter(other => other !== context)
  }
  async closeContexts(): Promise<void> {
    const contexts = this.#contexts
    this.#contexts = []
    this.requests.length = 0
    await Promise.all(contexts.map(context => context.close()))
  }
  readonly resetClocks = (): void => {
    const { api, identity, relays } = this.#running
    for (const service of [api, identity, ...relays]) service?.clock.reset()
  }

  /** @param isStorageBlocked as in a browser that lets frames of other sites store nothing */
  async newContext({ isStorageBlocked = false } = {}): Promise<BrowserContext> {
    const browser = await shareBrowser({ isStorageBlocked })
    // Drawing the window's motion takes processor time.
    const context = await browser.newContext({ acceptDownloads: true, reducedMotion: 'reduce' })
    context.setDefaultTimeout(45_000)
    this.#contexts.push(context)
    return context
  }
  /** Opens a page of the host app, in a new browser profile by default. */
  async visit(context?: BrowserContext, site = 'app', keeper?: Keeper): Promise<Page> {
    const { api, frame, origins, relays } = this.#running
    const [{ url: relay }] = relays
    const page = await (context ?? (await this.newContext())).newPage()
    await page.exposeFunction('codeFor', (address: string) => this.codeFor(address))
    await page.exposeFunction('totp', (secret: string) => totpAt(secret, api.clock.now()))
    page.on('request', request => {
      if (request.url().startsWith(relay) && request.method() === 'POST')
        this.requests.push(new URL(request.url()).pathname.replace('/api/v0/sdk/local', ''))
    })
    if (keeper) await page.exposeFunction('keepBackup', keeper)
    const query = new URLSearchParams({ api: api.url, frame: frame.url, relay, ...(keeper && { keeper: 'host' }) })
    await page.goto(`${origins[SITES.indexOf(site)]}/?${query}`)
    await page.waitForFunction(() => 'host' in window)
    return page
  }
  /** Signs in on a page; creates a new user each time, unless the address was used before. */
  async signIn(page: Page, address = `user-${++users}-${Date.now()}@example.com`): Promise<string> {
    await page.evaluate(address => window.host.signIn(address), address)
    return address
  }
  /** Returns the code of the next mail to an address. */
  codeFor(address: string): Promise<string> {
    return this.#running.codeFor(address)
  }
  /** Returns the code of an authenticator app. Each works once, so the clocks of the services move by one step. */
  nextTotp(secret: string): string {
    this.advance(30_000)
    return totpAt(secret, this.#running.api.clock.now())
  }
  /** Moves the clocks of the API and both relays. */
  advance(ms: number): void {
    this.#running.api.clock.advance(ms)
    this.advanceRelays(ms)
  }
  advanceRelays(ms: number): void {
    for (const { clock } of this.#running.relays) clock.advance(ms)
  }
  /** Stops R1. */
  async stopRelay(): Promise<void> {
    await this.#running.relays[0].stop()
  }
  /** Starts R1 again at the same address, with its data. */
  resumeRelay(): Promise<void> {
    return this.#running.restartRelay()
  }
  /** Stops the API and both relays, and deletes the data of the relays. */
  loseOperator(): Promise<void> {
    return this.#running.loseOperator()
  }
}

/** Returns the visible or the hidden frame of a page. */
export async function getFrame(page: Page, kind: 'hidden' | 'visible'): Promise<Frame> {
  const selector = kind === 'hidden' ? 'iframe[hidden]' : 'iframe:not([hidden])'
  // A frame that did not load in time is replaced by another one.
  for (;;) {
    const handle = await page.waitForSelector(selector, { state: 'attached' })
    const frame = await handle.contentFrame()
    if (frame) return frame
  }
}
