/** Real services for tests that run in a page, and apps with a user in that page. */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { account } from '@keybay/account'
import { type Clock, createKeybay, type Keybay } from '@keybay/kernel'
import { email } from '@keybay/one-time-code'
import { asked } from '@keybay/sandbox-api/testing/page-world'
import { installPasskeys, type PagePasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { TurnkeyClient } from '@turnkey/http'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { turnkey } from '../src/index.js'

// Real services: longer timeouts for slow machines.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

export type World = Awaited<ReturnType<typeof startWorld>>
export interface WorldOptions {
  /** Wait time of the custody service; 0 responds to every request as pending. */
  readonly patience?: number
  readonly environment?: Readonly<Record<string, unknown>>
}

export async function startWorld(options: WorldOptions = {}) {
  const worker = new Worker(join(import.meta.dirname, 'world-worker.mjs'), {
    workerData: { origin: location.origin, ...options },
  })
  const [{ api, custody, signerPublicKey }] = await once(worker, 'message')
  let queue: Promise<unknown> = Promise.resolve()
  const run = async (name: string, args: readonly unknown[]) => {
    worker.postMessage({ name, args })
    const [{ value, error }] = await once(worker, 'message')
    if (error) throw new Error(error)
    return value
  }
  const call = (name: string, ...args: readonly unknown[]) => {
    const answered = queue.then(() => run(name, args))
    queue = answered.catch(() => {})
    return answered
  }
  return {
    url: String(api),
    custodyUrl: String(custody),
    signerPublicKey: String(signerPublicKey),
    /** Returns the newest code to sign in: the API sends codes before it responds, and a notice may come after one. */
    async signInCode(to: string): Promise<string> {
      return /\b\d{6}\b/.exec(String(await call('newest', to, 'Your code for Acme')))?.[0] ?? ''
    },
    /** Returns the newest code to recover a wallet. */
    async recoveryCode(to: string): Promise<string> {
      return /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(String(await call('newest', to, 'Recover your wallet')))?.[0] ?? ''
    },
    advance: (ms: number) => call('advance', ms),
    /** Returns the custody requests since the last call, as paths. */
    takeRequests: (): Promise<readonly string[]> => call('takeRequests'),
    async stop() {
      await call('stop')
      await worker.terminate()
    },
  }
}

export interface HostOptions {
  readonly clock?: Clock
  readonly baseUrl?: string
  readonly sessionSeconds?: number
  readonly frameHost?: string
  /** Default false: the tests of other things sign without the window. */
  readonly signingWindow?: boolean
}

function plugins(
  world: World,
  { baseUrl = world.custodyUrl, sessionSeconds, frameHost, signingWindow = false }: HostOptions,
) {
  return [account(), email(), turnkey({ baseUrl, sessionSeconds, frameHost, signingWindow })] as const
}
export type Host = Keybay<ReturnType<typeof plugins>[number]>

export function createHost(world: World, options: HostOptions = {}): Host {
  return createKeybay({
    appName: 'Test',
    environmentId: 'local',
    baseApiUrl: world.url,
    logLevel: 'silent',
    plugins: plugins(world, options),
    ...(options.clock && { clock: options.clock }),
  })
}

let users = 0
export async function signIn(world: World, keybay: Host, address = `user-${++users}@example.com`) {
  const signedIn = keybay.connect('email', { email: address })
  const prompt = await asked(keybay, 'one-time-code')
  prompt.answer(await prompt.submit(await world.signInCode(address)))
  await signedIn
  return address
}
/** Starts the services for a file; each test gets a new authenticator and disposes its apps. */
export function setUpWorld(options: WorldOptions = {}) {
  let world: World
  let device: PagePasskeys
  const hosts: Host[] = []
  beforeAll(async () => {
    world = await startWorld(options)
  })
  afterAll(() => world.stop())
  beforeEach(() => {
    device = installPasskeys()
  })
  afterEach(() => {
    for (const host of hosts.splice(0)) host.dispose()
    vi.unstubAllGlobals()
    device.remove()
    localStorage.clear()
  })
  const open = (options?: HostOptions, where = world) => {
    const keybay = createHost(where, options)
    hosts.push(keybay)
    return keybay
  }
  return {
    get world() {
      return world
    },
    get device() {
      return device
    },
    /** Replaces the authenticator by one without passkeys, as on another device. */
    replaceDevice() {
      device.remove()
      device = installPasskeys()
    },
    open,
    /** Opens an app whose user has a connected wallet; `client` and `request` call custody with the user's passkey. */
    async withWallet(options?: HostOptions, where = world) {
      const keybay = open(options, where)
      const address = await signIn(where, keybay)
      const [wallet] = await keybay.turnkey.createWallet()
      await keybay.connect('turnkey')
      const organizationId = wallet?.walletProperties?.turnkeySubOrganizationId ?? ''
      const client = new TurnkeyClient({ baseUrl: where.custodyUrl }, new WebauthnStamper({ rpId: location.hostname }))
      const request = <T extends string, P>(type: T, parameters: P) => ({
        type,
        timestampMs: String(Date.now()),
        organizationId,
        parameters,
      })
      return { keybay, address, organizationId, client, request }
    },
  }
}

export function text(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(value)
}

export function accountOn(keybay: Host, chain: string) {
  const { accounts } = keybay.connectors.get('turnkey').wallet
  const walletAccount = accounts.find(({ chains }) => chains.some(name => name.startsWith(chain)))
  if (!walletAccount) throw new Error(`No account on ${chain}`)
  return walletAccount
}

export function sign(keybay: Host, ...messages: string[]) {
  const { features } = keybay.connectors.get('turnkey').wallet
  const account = accountOn(keybay, 'solana:')
  return features['solana:signMessage'].signMessage(...messages.map(message => ({ account, message: text(message) })))
}

export async function verifies(address: string, message: string, signature: Uint8Array = new Uint8Array()) {
  const raw = new Uint8Array(bs58.decode(address))
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), text(message))
}
