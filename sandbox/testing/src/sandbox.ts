/**
 * Starts the sandbox of a test file: services on their own ports, and a fresh context of one browser for each visitor.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AppOptions, startApp } from '@keybay/sandbox-app'
import { startChain } from '@keybay/sandbox-chain'
import { startIdentity } from '@keybay/sandbox-identity'
import { newDatabase } from '@keybay/sandbox-identity/testing/database'
import { atEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { shareBrowser } from '@keybay/sandbox-tools/launch-browser'
import { startPhone } from '@keybay/sandbox-wallets/phone'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type AccountsOptions, startAccounts, startCustodyServices, startWalletServices } from './services.js'
import { createVisitor, NO_API, type Visitor } from './visitor.js'

export interface VisitOptions extends BrowserContextOptions {
  /** Runs in every page before the page's own scripts. */
  readonly initScript?: () => void
  /** Runs before the first page opens. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
  /** Console messages that the test causes; any other fails the test. */
  readonly expectTrouble?: RegExp
}
export type Sandbox = ReturnType<typeof setUpSandbox>

const REPORTS = fileURLToPath(new URL('../.reports', import.meta.url))
/** Timeout of one action in Chromium. */
const ACTION_TIMEOUT_MS = 45_000

/** Saves pictures of a failed test's pages, as they looked at its end. */
async function takePictures(contexts: readonly BrowserContext[], test: string): Promise<void> {
  const name = test.replace(/\W+/g, '-').slice(0, 60)
  const pages = contexts.flatMap(context => context.pages())
  await Promise.allSettled(pages.map((page, index) => page.screenshot({ path: `${REPORTS}/${name}-${index}.png` })))
}

export interface SandboxOptions {
  /** Starts the product API and the inbox. */
  readonly accounts?: AccountsOptions
  /** Starts the wallet frame and the relays; needs `accounts`. */
  readonly embeddedWallets?: boolean
  /** Users for whom signing in creates an embedded wallet. Default `off`: tests of other things create what they need. */
  readonly createOnLogin?: AppOptions['createOnLogin']
  /** Starts key custody and the window that opens its exports; needs `accounts`, and replaces `embeddedWallets`. */
  readonly custody?: boolean
  /** Starts the phone that has Phantom and Solflare. */
  readonly phone?: boolean
  /** Starts the 22 social providers; needs `accounts`. */
  readonly social?: boolean
  /** Starts Google Drive and iCloud for backups; needs `embeddedWallets`. */
  readonly drives?: boolean
}
type Services = Awaited<ReturnType<typeof startServices>>

async function startServices(options: SandboxOptions) {
  const dataDir = await mkdtemp(join(tmpdir(), 'keybay-e2e-'))
  // All services get the same variables, as from `npm start`.
  const names = ['APP_PORT', 'API_PORT', 'FRAME_PORT', 'CUSTODY_PORT', 'RELAY_PORT', 'RELAY2_PORT']
  const ports = await Promise.all(names.map(async name => [name, String(await freePort())] as const))
  const launching = shareBrowser()
  const chain = await startChain({ port: 0, dataDir })
  const env: Record<string, string> = {
    ...Object.fromEntries(ports),
    KEYBAY_DATA_DIR: dataDir,
    CHAIN_URL: chain.url,
    CHAIN_PORT: String(chain.port),
    IDENTITY_URL: 'off',
    // Every test signs in and signs from the same address.
    API_LIMIT_FACTOR: '1000',
    RELAY_LIMIT_FACTOR: '1000',
  }
  for (const relay of ['RELAY', 'RELAY2'])
    env[`${relay}_INTERNAL_URL`] = `http://127.0.0.1:${env[`${relay}_PORT`]}/api/v0`
  const callback = `http://wallet.localhost:${env.FRAME_PORT}/waas-v1/local/granted`
  const databaseUrl = await newDatabase()
  const identity =
    options.social || options.drives
      ? await startIdentity({ cloudKitCallback: callback, ...(databaseUrl && { databaseUrl }) })
      : undefined
  if (identity) Object.assign(env, { IDENTITY_URL: identity.url, IDENTITY_INTERNAL_URL: identity.internalUrl })
  const accounts = options.accounts && (await startAccounts(env, options.accounts))
  const walletServices = options.embeddedWallets ? await startWalletServices(env) : undefined
  const custody = options.custody ? await startCustodyServices(env) : undefined
  const phone = options.phone ? await startPhone({ chainUrl: chain.url }) : undefined
  const app = await startApp({
    port: Number(env.APP_PORT),
    chainUrl: chain.url,
    chainWsUrl: chain.wsUrl,
    apiUrl: accounts?.api.url ?? NO_API,
    inboxUrl: accounts?.inbox.url,
    frameUrl: walletServices?.frame.url ?? custody?.frame.url,
    custodyUrl: custody?.url,
    phoneUrl: phone?.url,
    relayUrl: walletServices?.relayUrl,
    // Folder in which the relays look for the app's scheduler.
    dataDir: walletServices && join(dataDir, 'app'),
    identityUrl: identity?.url,
    createOnLogin: options.createOnLogin ?? 'off',
  })
  const services = {
    app,
    chain,
    accounts,
    walletServices,
    custody,
    phone,
    identity,
    browser: await launching,
    dataDir,
    /** Undoes what a test has moved or broken on purpose. */
    async reset() {
      identity?.faults.clear()
      identity?.clock.reset()
      const clocks = [accounts?.api, custody, walletServices?.relays.R1, walletServices?.relays.R2]
      await Promise.all(clocks.map(service => service?.resetClock()))
    },
    async stop() {
      await app.stop()
      await services.chain.stop()
      await phone?.stop()
      await identity?.stop()
      await walletServices?.stop()
      await custody?.stop()
      await accounts?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return services
}

/** Services that files share, by their options: starting them takes seconds, and each test has its own users. */
const shared = new Map<string, Promise<Services>>()

/** @returns the services' key; undefined for options that only one file has */
function getKey({ accounts, embeddedWallets, social, ...others }: SandboxOptions): string | undefined {
  if (accounts?.environment || Object.values(others).some(Boolean)) return undefined
  return `${accounts ? 'accounts' : ''} ${embeddedWallets ? 'wallets' : ''} ${social ? 'social' : ''}`
}

function keep(key: string, options: SandboxOptions): Promise<Services> {
  const known = shared.get(key)
  if (known) return known
  const made = startServices(options)
  shared.set(key, made)
  atEndOfRun(async () => (await made).stop())
  return made
}

/**
 * Sets up the sandbox. Call once at the top of a test file. After each test the console of every page must have been
 * clean.
 */
export function setUpSandbox(options: SandboxOptions = {}) {
  const key = getKey(options)
  let services: Services | undefined
  let visitors: Visitor[] = []
  let contexts: BrowserContext[] = []
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The sandbox is not started, or its options leave this service out.')
    return part
  }

  beforeAll(async () => {
    services = await (key === undefined ? startServices(options) : keep(key, options))
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await takePictures(contexts, task.name)
      // State left by the failed test must not fail tests of the next file.
      if (key !== undefined) shared.delete(key)
    }
    const troubles = visitors.flatMap(({ troubles }) => troubles)
    const opened = contexts
    visitors = []
    contexts = []
    await Promise.all(opened.map(context => context.close()))
    await services?.reset()
    if (troubles.length) throw new Error(`The pages said:\n${troubles.join('\n')}`)
  })
  afterAll(async () => {
    if (key === undefined) await services?.stop()
  })

  return {
    get app() {
      return ready(services?.app)
    },
    get chain() {
      return ready(services?.chain)
    },
    get accounts() {
      return ready(services?.accounts)
    },
    get walletServices() {
      return ready(services?.walletServices)
    },
    get custody() {
      return ready(services?.custody)
    },
    get phone() {
      return ready(services?.phone)
    },
    get identity() {
      return ready(services?.identity)
    },
    /** Stops the chain, as when its process ends. */
    stopChain: () => ready(services).chain.stop(),
    /** Restarts the chain at the same address, with what it had shared. */
    async resumeChain() {
      const all = ready(services)
      const { port, wsPort } = all.chain
      all.chain = await startChain({ port, wsPort, dataDir: all.dataDir })
    },
    /** Opens the app for a new user: nothing stored, nothing connected. */
    async visit(path = '/', { initScript, prepare, expectTrouble, ...options }: VisitOptions = {}): Promise<Visitor> {
      const context = await ready(services).browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      contexts.push(context)
      context.setDefaultTimeout(ACTION_TIMEOUT_MS)
      if (initScript) await context.addInitScript(initScript)
      await prepare?.(context)
      const visitor = await createVisitor(context, { base: ready(services).app.url, expectTrouble })
      visitors.push(visitor)
      await visitor.open(path)
      return visitor
    },
  }
}
