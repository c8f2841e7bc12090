// @vitest-environment happy-dom
/** Visits every cell of the table of states with a real host. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConnectContext } from '../src/index.js'
import { type ConnectorEvent, type ConnectorState, TRANSITIONS, transition } from '../src/states.js'
import {
  account,
  type FakeWallet,
  fakeWallet,
  type Host,
  loginConnector,
  openHosts,
  settle,
  walletConnector,
} from './helpers.js'

// biome-ignore format: as the README's table has them
const EVENTS = [
  'connect', 'reconnect', 'resume', 'redirect', 'open',
  'finish', 'fail', 'cancel', 'disconnect', 'accounts', 'lock',
  'tabConnect', 'tabDisconnect', 'remove', 'dispose',
] as const satisfies readonly ConnectorEvent[]
// biome-ignore format: as the README's table has them
const STATES = [
  'idle', 'reconnecting', 'connecting', 'redirecting', 'resuming', 'connected', 'operating', 'refused',
] as const satisfies readonly ConnectorState[]

const open = openHosts()
beforeEach(() => {
  history.replaceState(null, '', '/?answer')
  vi.spyOn(location, 'assign').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  history.replaceState(null, '', '/')
})

/** A connector whose attempts the test ends. */
class Scene {
  readonly fake: FakeWallet = fakeWallet('w')
  readonly host: Host
  readonly remove: () => void
  isClaiming = false
  ctx: ConnectContext | undefined
  end: (outcome: unknown) => void = () => {}
  endPrevious: (outcome: unknown) => void = () => {}
  fail: (error: Error) => void = () => {}

  constructor(isLogin: boolean) {
    const claims = () => this.isClaiming
    const connector = isLogin
      ? loginConnector('w', {
          claims,
          connect: (_input, ctx) => this.#attend(ctx),
          resume: (_url, ctx) => this.#attend(ctx),
        })
      : walletConnector(this.fake, {
          claims,
          connect: ctx => this.#attend(ctx),
          resume: (_url, ctx) => this.#attend(ctx),
        })
    this.host = open()
    this.host.kernel.session.register({ exchange: async () => ({ status: 'authenticated', userId: 'u' }) })
    this.host.keybay.connectors.list()
    this.remove = this.host.kernel.connectors.add(connector)
  }
  #attend(ctx: ConnectContext) {
    this.ctx = ctx
    this.endPrevious = this.end
    return new Promise<never>((resolve, reject) => {
      this.end = outcome => void Reflect.apply(resolve, undefined, [outcome])
      this.fail = reject
    })
  }
  get state() {
    return this.host.kernel.connections.state('w')
  }
  connect() {
    this.host.keybay.connect('w').catch(() => {})
    return settle()
  }
  async openWallet(addresses = ['w1']) {
    this.end(addresses.map(address => account(address)))
    await settle()
  }
  /** Returns from a redirect with the response to `method`. */
  async resume(method: string) {
    void this.host.kernel.redirect('https://wallet.example', { connectorId: 'w', method })
    this.isClaiming = true
    this.host.kernel.connectors.update('w', {})
    await settle()
  }
  async post(type: string) {
    const other = new BroadcastChannel('keybay:local')
    const channel = new BroadcastChannel('keybay:local')
    const isReceived = new Promise(resolve => {
      channel.onmessage = resolve
    })
    other.postMessage({ type, data: 'w' })
    await isReceived
    await settle()
    other.close()
    channel.close()
  }
}

/** Brings a new wallet, or a login, into a state. All but a login's are wanted and watched, as after a connect. */
async function reach(state: ConnectorState, isLogin: boolean, method: string): Promise<Scene> {
  const scene = new Scene(isLogin)
  await settle()
  if (!isLogin) {
    await scene.connect()
    await scene.openWallet()
    if (state !== 'connected' && state !== 'operating') scene.fake.emit([])
  }
  const steps: Readonly<Record<ConnectorState, () => Promise<unknown> | undefined>> = {
    idle: () => undefined,
    connected: () => undefined,
    reconnecting: () => cause.reconnect.run(scene, 'idle'),
    connecting: () => scene.connect(),
    redirecting: async () => {
      await scene.connect()
      void scene.ctx?.redirect('https://wallet.example')
      await settle()
    },
    resuming: () => scene.resume('connect'),
    operating: () => scene.resume(method),
    refused: async () => {
      await scene.connect()
      scene.fail(new Error('broken'))
      await settle()
    },
  }
  await steps[state]()
  expect(scene.state).toBe(state)
  return scene
}

interface Cause {
  /** State that follows at once, because the wallet is wanted. */
  readonly followedBy?: readonly ConnectorEvent[]
  run(scene: Scene, state: ConnectorState): Promise<unknown>
}
/** How each event comes about. One that belongs to an attempt comes from a stale attempt where none runs. */
const cause: Readonly<Record<ConnectorEvent, Cause>> = {
  connect: { run: scene => scene.connect() },
  reconnect: {
    run: async scene => {
      scene.host.kernel.connectors.update('w', {})
      await settle()
    },
  },
  resume: { run: scene => scene.resume('connect') },
  redirect: {
    run: async scene => {
      scene.ctx?.redirect('https://wallet.example').catch(() => {})
      await settle()
    },
  },
  open: { run: scene => scene.openWallet(['w2']) },
  finish: {
    run: async (scene, state) => {
      // A silent attempt is always a wallet's, which ends with accounts or fails.
      const end = state === 'reconnecting' ? scene.endPrevious : scene.end
      end({ method: 'email', proof: {} })
      await settle()
    },
  },
  fail: {
    run: async scene => {
      scene.fail(new Error('broken'))
      await settle()
    },
  },
  cancel: { run: async scene => scene.host.keybay.attempts.reset('w') },
  disconnect: { run: async scene => void scene.host.keybay.disconnect('w') },
  accounts: { run: async scene => scene.fake.emit([account('w3')]) },
  lock: { run: async scene => scene.fake.emit([]) },
  tabConnect: { followedBy: ['reconnect'], run: scene => scene.post('connected') },
  tabDisconnect: { run: scene => scene.post('disconnected') },
  remove: {
    run: async scene => {
      scene.remove()
      await settle()
    },
  },
  dispose: { run: async scene => scene.host.keybay.dispose() },
}

const CONNECTED: readonly ConnectorState[] = ['connected', 'operating']
const cells = STATES.flatMap(state => EVENTS.map(event => [state, event, transition(state, event)] as const))

describe('the states of a connector', () => {
  it.each(cells)('moves a connector from %s by %s to %s', async (state, event, next) => {
    // Only a login's attempt ends without a connection; a wallet's does when it brings the response to a method.
    const isLogin = event === 'finish' && !['idle', 'reconnecting', 'connected', 'operating', 'refused'].includes(state)
    const scene = await reach(state, isLogin, event === 'open' ? 'connect' : 'signMessage')
    const { followedBy = [], run } = cause[event]
    await run(scene, state)
    // The end of a response lets the wallet reconnect that it may have interrupted.
    const after = state === 'resuming' && ['fail', 'cancel'].includes(event) ? (['reconnect'] as const) : followedBy
    await settle()
    expect(scene.state).toBe(after.reduce(transition, next))
    expect(scene.host.keybay.connections.get('w') !== undefined).toBe(CONNECTED.includes(scene.state))
  })
  it('the states of a connector match the table in the README', () => {
    expect(Object.keys(TRANSITIONS)).toEqual(STATES)
    const lines = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8').split('\n')
    const start = lines.findIndex(line => line.startsWith('| event |'))
    const [header, , ...rows] = lines.slice(start, start + 2 + EVENTS.length).map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.replaceAll('`', '').trim()),
    )
    expect(header).toEqual(['event', ...STATES])
    expect(rows).toEqual(EVENTS.map(event => [event, ...STATES.map(state => TRANSITIONS[state][event] ?? '')]))
  })
})
