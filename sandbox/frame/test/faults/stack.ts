/**
 * Starts each service of an MPC wallet as a process that may die, one Chromium, and a host's page. Call once at the top
 * of a test file.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { newDatabase as newApiDatabase } from '@keybay/sandbox-api/testing/database'
import { newDatabase as newIdentityDatabase } from '@keybay/sandbox-identity/testing/database'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { newDatabase as newRelayDatabase } from '@keybay/sandbox-relay/testing/database'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Listening, servePage } from '../pages.js'
import { createMailReader } from '../world-services.js'
import { watchWrites } from './frame-writes.js'
import { allowHaste, attendDriveWindows } from './page-hooks.js'
import { type Heard, Service } from './service.js'

export const SERVICES = ['R1', 'R2', 'API', 'drives', 'frame host'] as const
export type ServiceName = (typeof SERVICES)[number]
export interface Stack {
  readonly services: Readonly<Record<ServiceName, Service>>
  /** Requests to the services, in no order: see `at`. */
  readonly heard: Heard[]
  /** URL of R1 for a server. */
  readonly relayUrl: string
  /** File in which the relays find the servers that may be delegates. */
  readonly delegatesFile: string
  /** Returns the service that listens at an address. */
  serviceAt(url: string): ServiceName | undefined
  /** Makes the relays check again with the API which user is signed in. */
  forget(): Promise<void>
  /** Call before a service is in the middle of a request: the next {@link forget} then restarts none of them. */
  prepareToForget(): Promise<void>
  /** Signs a user in, in a new browser profile. @param user an existing one; default: a new one */
  visit(user?: string): Promise<{ readonly page: Page; readonly user: string }>
  /** Returns all open windows of all users. */
  pages(): readonly Page[]
  /** Closes the browsers of all users. */
  leave(): Promise<void>
}

const PROGRAMS = {
  R1: ['@keybay/sandbox-relay', 'main.js'],
  R2: ['@keybay/sandbox-relay', 'main-2.js'],
  API: ['@keybay/sandbox-api', 'sandbox.js'],
  drives: ['@keybay/sandbox-identity', 'main.js'],
  'frame host': ['@keybay/sandbox-frame', 'sandbox.js'],
} as const

function getProgram([name, file]: readonly [string, string]): string {
  return join(dirname(createRequire(import.meta.url).resolve(name)), file)
}

/** The databases of the services, which survive their deaths; without PostgreSQL they are files in the data folder. */
async function createDatabases(): Promise<Readonly<Record<string, string>>> {
  const addresses = {
    DATABASE_URL: await newApiDatabase(),
    IDENTITY_DATABASE_URL: await newIdentityDatabase(),
    RELAY_DATABASE_URL: await newRelayDatabase(),
    RELAY2_DATABASE_URL: await newRelayDatabase(),
  }
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, url]) => (url === undefined ? [] : [[name, url]])),
  )
}

async function startStack(folder: string, appPort: number, inbox: Inbox) {
  const ports = await Promise.all(SERVICES.map(() => freePort()))
  const getPort = (name: ServiceName): number => ports[SERVICES.indexOf(name)] ?? 0
  const origin = (host: string, name: ServiceName) => `http://${host}:${getPort(name)}`
  const frameUrl = origin('wallet.localhost', 'frame host')
  const environments = join(folder, 'environments.json')
  const local = {
    name: 'Acme',
    allowedOrigins: [`http://app.localhost:${appPort}`],
    frameOrigins: [frameUrl],
    embeddedWallets: { enabled: true, mostPerUser: 100 },
    // The relays' clocks run further ahead than a page renews early, so tokens must live longer.
    session: { accessTokenSeconds: 3600 },
  }
  await writeFile(environments, JSON.stringify({ local }))
  const env = {
    KEYBAY_DATA_DIR: folder,
    APP_PORT: String(appPort),
    API_PORT: String(getPort('API')),
    API_ENVIRONMENTS_FILE: environments,
    API_LIMIT_FACTOR: '1000',
    INBOX_PORT: String(inbox.port),
    INBOX_SMTP_PORT: String(inbox.smtpPort),
    IDENTITY_PORT: String(getPort('drives')),
    IDENTITY_URL: origin('identity.localhost', 'drives'),
    FRAME_PORT: String(getPort('frame host')),
    RELAY_PORT: String(getPort('R1')),
    RELAY2_PORT: String(getPort('R2')),
    RELAY_INTERNAL_URL: `${origin('127.0.0.1', 'R1')}/api/v0`,
    RELAY2_INTERNAL_URL: `${origin('127.0.0.1', 'R2')}/api/v0`,
    RELAY_LIMIT_FACTOR: '1000',
    FRAME_TEST_CLIENT: '1',
    ...(await createDatabases()),
  }
  const requestLog: Heard[] = []
  const create = (name: ServiceName) =>
    new Service(name, { main: getProgram(PROGRAMS[name]), port: getPort(name), env }, requestLog)
  const services = {
    R1: create('R1'),
    R2: create('R2'),
    API: create('API'),
    drives: create('drives'),
    'frame host': create('frame host'),
  }
  await Promise.all(Object.values(services).map(service => service.start()))
  const serviceAt = (url: string) => SERVICES.find(name => new URL(url).port === String(getPort(name)))
  const relayUrl = `${origin('localhost', 'R1')}/api/v0`
  return {
    services,
    heard: requestLog,
    frameUrl,
    relayUrl,
    apiUrl: `${origin('api.app.localhost', 'API')}/api/v0`,
    serviceAt,
  }
}

let users = 0

export function setUpStack(): () => Stack {
  let stack: Stack | undefined
  let browser: Browser | undefined
  let inbox: Inbox | undefined
  let hostPage: Listening | undefined
  let folder = ''
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keybay-faults-'))
    const launching = launchBrowser()
    const served = await servePage('./host.ts')
    hostPage = served
    const mail = await startInbox()
    inbox = mail
    const { frameUrl, relayUrl, apiUrl, ...parts } = await startStack(folder, served.port, mail)
    const codeFor = createMailReader(mail.port)
    const { R1, R2 } = parts.services
    const profiles = await launching
    browser = profiles
    stack = {
      ...parts,
      async forget() {
        await Promise.all([R1.forget(), R2.forget()])
      },
      async prepareToForget() {
        await Promise.all([R1.prepareToForget(), R2.prepareToForget()])
      },
      relayUrl: relayUrl.replace('localhost', '127.0.0.1'),
      delegatesFile: join(folder, 'app', 'delegates.json'),
      async visit(user = `user-${++users}@example.com`) {
        const context = await profiles.newContext({ reducedMotion: 'reduce' })
        contexts.push(context)
        context.setDefaultTimeout(30_000)
        const page = await context.newPage()
        await attendDriveWindows(context)
        await page.exposeFunction('codeFor', codeFor)
        await watchWrites(page)
        await allowHaste(page)
        const query = new URLSearchParams({ api: apiUrl, frame: frameUrl, relay: relayUrl })
        await page.goto(`http://app.localhost:${served.port}/?${query}`)
        await page.waitForFunction(() => 'host' in window)
        await page.evaluate(user => window.host.signIn(user), user)
        return { page, user }
      },
      pages: () => contexts.flatMap(context => context.pages()),
      async leave() {
        await Promise.all(contexts.splice(0).map(context => context.close()))
      },
    }
  }, 120_000)
  afterEach(async ({ task }) => {
    await stack?.leave()
    // The next test starts with all services running and no fault armed.
    if (task.result?.state === 'fail')
      await Promise.all(Object.values(stack?.services ?? {}).map(service => service.restart()))
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await Promise.all(Object.values(stack?.services ?? {}).map(service => service.kill()))
    await inbox?.stop()
    hostPage?.close()
    await rm(folder, { recursive: true, force: true })
  })
  return () => {
    if (!stack) throw new Error('The services start in beforeAll.')
    return stack
  }
}
