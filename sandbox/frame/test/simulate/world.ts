/** One simulated world: two browsers of a user, one of another user, both relays and a delegate. */
import { KeybayError } from '@keybay/kernel/spec'
import type { Snapshot } from '@keybay/sandbox-relay/testing/simulated/relay'
import { createDelegate, type Delegate, type DelegatedWallet } from '@keybay/waas/delegate'
import { type Browser, BrowserDied, createBrowser } from './browser.js'
import { createNetwork, type Endpoint, type Network, UNREACHABLE } from './network.js'
import type { Services } from './services.js'
import type { Step } from './steps.js'

/** A delegation as the user's page got it. */
export interface Bundle {
  readonly setId: string
  readonly sealedShare: Uint8Array
}
export interface World {
  readonly services: Services
  readonly network: Network
  readonly browsers: readonly Browser[]
  readonly delegate: Delegate
  readonly bundles: Bundle[]
  /** Wallets whose shares the delegate keeps. */
  readonly delegated: Map<string, DelegatedWallet>
  readonly snapshots: Map<string, Snapshot>
  readonly trace: string[]
  /** Address of each user's wallet. */
  readonly addresses: Map<string, string>
  /** IDs of the first user's sets in the order of their appearance, dealt ones included. */
  readonly sets: string[]
  /** Relays whose database was put back. */
  readonly restored: Set<string>
}

/** Time between two steps, in ms. */
const STEP_MS = 1_000

/** @param runInner runs a step in the middle of a request */
export async function openWorld(services: Services, runInner: (step: Step) => Promise<void>): Promise<World> {
  const { relays, empty, time, api, users, clockOf, delegateKeys } = services
  time.offsets.clear()
  await relays.R1.restore(empty.R1)
  await relays.R2.restore(empty.R2)
  const trace: string[] = []
  const always = { isAlive: () => true, kill() {} }
  const endpoints = new Map<string, Endpoint>([
    ['r1', relays.R1],
    ['r2', relays.R2],
    ['api', { ...always, fetch: request => api.api.fetch(request) }],
    ['delegate', { ...always, fetch: () => Promise.reject(new Error('A delegate accepts no requests.')) }],
  ])
  const network = createNetwork({ endpoints, runInner, log: line => trace.push(line) })
  const backups = [new Map(), new Map()]
  const browsers = [0, 1, 2].map(index => {
    const owner = index < 2 ? 0 : 1
    const [user, ownBackups] = [users[owner], backups[owner]]
    if (!user || !ownBackups) throw new RangeError('a world without users')
    const browser = createBrowser({
      name: `device-${index}`,
      user,
      backups: ownBackups,
      apiUrl: api.api.url,
      clock: clockOf(`device-${index}`),
      onDisk: () => network.take('disk').length > 0,
    })
    endpoints.set(browser.name, {
      ...browser,
      fetch: () => Promise.reject(new Error('A browser accepts no requests.')),
    })
    return browser
  })
  const delegate = createDelegate({
    keys: delegateKeys,
    environmentId: 'local',
    relayUrl: 'http://r1.delegate-0.sim/api/v0',
    now: clockOf('delegate').now,
    fetch: (input, init) => network.fetch(input, init),
  })
  return {
    services,
    network,
    browsers,
    delegate,
    bundles: [],
    delegated: new Map(),
    snapshots: new Map(),
    trace,
    addresses: new Map(),
    sets: [],
    restored: new Set(),
  }
}

/** Moves the time on, and renews the users' access tokens before they expire. */
export async function passTime({ time, users, api }: Services): Promise<void> {
  time.now += STEP_MS
  for (const { kit } of users) {
    const { exp } = JSON.parse(Buffer.from(kit.token?.split('.')[1] ?? '', 'base64url').toString())
    if (exp * 1000 > api.api.clock.now() + 60_000) continue
    kit.keep(await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh } }))
  }
}

/** Returns how an action ended: `ok`, or its error's code. */
export async function outcomeOf(act: Promise<unknown>): Promise<string> {
  try {
    await act
    return 'ok'
  } catch (error) {
    if (error instanceof KeybayError) return error.code
    if (error instanceof BrowserDied) return 'died'
    // The network's own error, where no frame is between the action and the network.
    if (error instanceof TypeError && error.message === UNREACHABLE) return 'unreachable'
    throw error
  }
}
