/**
 * Starts the sandbox for an app of a host, which finds it at the addresses of `npm start`. The services run on free ports:
 * the browser finds them there.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChain } from '@keybay/sandbox-chain'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import type { Page } from 'playwright-core'
import { startAccounts, startWalletServices } from './services.js'

const API = 'http://api.app.localhost:4100/api/v0'
const FRAME = 'http://wallet.localhost:4200'
const RELAYS = ['http://localhost:4300/api/v0', 'http://localhost:4301/api/v0'] as const
const CHAIN = 'localhost:8899'
const CHAIN_WEBSOCKET = 'localhost:8900'

/** Services get the addresses of `npm start`, and the ports on which they listen and find each other. */
async function readEnvironment(appOrigins: string, dataDir: string, chainUrl: string) {
  const [api, relay, relay2] = [await freePort(), await freePort(), await freePort()]
  return {
    KEYBAY_DATA_DIR: dataDir,
    APP_ORIGINS: appOrigins,
    IDENTITY_URL: 'off',
    API_PORT: String(api),
    API_PUBLIC_URL: API,
    API_URL: API,
    RELAY_PORT: String(relay),
    RELAY_URL: RELAYS[0],
    RELAY_PUBLIC_URL: RELAYS[0],
    RELAY_INTERNAL_URL: `http://127.0.0.1:${relay}/api/v0`,
    RELAY2_PORT: String(relay2),
    RELAY2_URL: RELAYS[1],
    RELAY2_PUBLIC_URL: RELAYS[1],
    RELAY2_INTERNAL_URL: `http://127.0.0.1:${relay2}/api/v0`,
    CHAIN_INTERNAL_URL: chainUrl,
  }
}

/** @param appOrigins where the app's pages are: APP_ORIGINS of the sandbox */
export async function startPageSandbox(appOrigins: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'keybay-page-'))
  const chain = await startChain({ port: 0, dataDir })
  const env = await readEnvironment(appOrigins, dataDir, `http://127.0.0.1:${chain.port}`)
  const accounts = await startAccounts(env, {})
  const framePort = await freePort()
  const walletServices = await startWalletServices(env, { port: framePort, publicUrl: FRAME })
  const origins = appOrigins.split(',')
  /** Port at which the browser looks for the app of each origin. */
  const appPorts = new Map(await Promise.all(origins.map(async origin => [origin, await freePort()] as const)))
  const local = (port: number | string) => `127.0.0.1:${port}`
  const browser = await launchBrowser({
    hosts: {
      ...Object.fromEntries([...appPorts].map(([origin, port]) => [new URL(origin).host, local(port)])),
      [new URL(API).host]: local(env.API_PORT),
      [new URL(FRAME).host]: local(framePort),
      [new URL(RELAYS[0]).host]: local(env.RELAY_PORT),
      [new URL(RELAYS[1]).host]: local(env.RELAY2_PORT),
      [CHAIN]: local(chain.port),
      [CHAIN_WEBSOCKET]: local(chain.wsPort),
    },
  })
  return {
    /** Waits for the newest code sent to an address, and returns it. */
    code: accounts.code,
    /** @throws Error if APP_ORIGINS lacks the origin */
    getPort(origin: string): number {
      const port = appPorts.get(origin)
      if (port === undefined) throw new Error(`APP_ORIGINS lacks ${origin}.`)
      return port
    },
    /** Opens an app for a new user, and passes its page to `use`. @returns what the page complained about: exceptions, and errors of its console */
    async visit(origin: string, use: (page: Page) => Promise<void>): Promise<readonly string[]> {
      const context = await browser.newContext()
      const troubles: string[] = []
      context.on('console', message => {
        if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
          troubles.push(message.text())
      })
      context.on('weberror', error => troubles.push(String(error.error())))
      const page = await context.newPage()
      await page.goto(origin)
      await use(page)
      await context.close()
      return troubles
    },
    async stop() {
      await browser.close()
      await walletServices.stop()
      await accounts.stop()
      await chain.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
