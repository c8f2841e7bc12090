/** A page with the kit in it, its windows, and the provider at the other end. */
import 'fake-indexeddb/auto'
import { account } from '@keybay/account'
import { type Config, createKeybay, type Keybay } from '@keybay/kernel'
import { type FakeClock, fakeClock } from '@keybay/kernel/testing'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { google, type SocialOptions, shopify, social, telegram } from '../src/index.js'
import { finishSocialSignIn } from '../src/return/index.js'
import { type Flow, type Service, startService } from './service.js'

/** A window that the page opened, as far as the page can see it. */
export interface Popup {
  closed: boolean
  readonly features: string
  /** Where it was sent. */
  readonly visited: string[]
  focus(): void
  close(): void
}

function plugins(options: SocialOptions) {
  return [account(), google(), telegram(), shopify(), social(options)] as const
}
export interface Page {
  readonly keybay: Keybay<ReturnType<typeof plugins>[number]>
  readonly logged: readonly { readonly level: string }[]
}
export interface World {
  readonly service: Service
  /** In the order in which they were opened. */
  readonly popups: readonly Popup[]
  popup(index: number): Popup
  /** Where the page went. */
  readonly left: readonly string[]
  readonly clock: FakeClock
  /** The browser opens no window. */
  blocked: boolean
  /** A page at this address; the one before it is gone. */
  open(options?: SocialOptions, address?: string, config?: Partial<Config>): Page
  /** Until the window is at the provider. */
  visited(count?: number): Promise<Flow>
  /** A message of a window; `from` the page's origin by default. */
  post(popup: Popup, data: unknown, from?: string): void
  /** The return page in the window, or in the tab: as it hands over what the address says. */
  comeBack(url: string, opener?: Popup, patience?: number): Promise<string>
}

export function until(look: () => unknown): Promise<void> {
  return vi.waitFor(() => expect(look()).toBeTruthy(), { timeout: 10_000, interval: 2 })
}

export function completion(flow: Flow, more: object = { code: 'c', params: { code: 'c', state: flow.stateHash } }) {
  return {
    type: 'authorization_response',
    provider: flow.provider,
    state: flow.stateHash,
    params: {},
    ...more,
  }
}

export function errorOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  return promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  )
}

/** Call it once at the top of a file. */
export function setUpWorld(): World {
  let service: Service | undefined
  let pages: Page[] = []
  let popups: Popup[] = []
  let left: string[] = []
  let clock = fakeClock()
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The world is there from beforeAll on.')
    return part
  }
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.stop())
  const world: World = {
    get service() {
      return ready(service)
    },
    get popups() {
      return popups
    },
    popup: index => ready(popups[index]),
    get left() {
      return left
    },
    get clock() {
      return clock
    },
    blocked: false,
    open(options = {}, address = '/', config = {}) {
      for (const { keybay } of pages) keybay.dispose()
      history.replaceState(null, '', address)
      const keybay = createKeybay({
        appName: 'Test',
        environmentId: 'local',
        baseApiUrl: world.service.url,
        logLevel: 'silent',
        clock,
        ...config,
        plugins: plugins(options),
      })
      const logged: { level: string }[] = []
      keybay.on('log', entry => logged.push(entry))
      keybay.connectors.subscribe(() => {})
      pages = [{ keybay, logged }]
      return { keybay, logged }
    },
    async visited(count = 1) {
      await until(() => popups.filter(({ visited }) => visited.length > 0).length >= count)
      return ready(world.service.flows.at(-1))
    },
    post(popup, data, from = location.origin) {
      const event = new MessageEvent('message', { origin: from, data })
      Object.defineProperty(event, 'source', { value: popup })
      window.dispatchEvent(event)
    },
    async comeBack(url, opener, patience = 10_000) {
      const before = location.href
      history.replaceState(null, '', url)
      const targets: string[] = []
      Object.defineProperty(window, 'opener', {
        configurable: true,
        value: opener && {
          postMessage(data: unknown, target: string) {
            targets.push(target)
            if (target === location.origin) world.post(opener, data)
          },
        },
      })
      const replaced = vi.spyOn(location, 'replace').mockImplementation(next => void left.push(String(next)))
      try {
        const outcome = await finishSocialSignIn({ patience })
        expect(location.search + location.hash).toBe('') // no code stays in an address
        if (outcome === 'unheard') return outcome
        return outcome === 'posted' ? targets.join() : (left.at(-1) ?? '')
      } finally {
        replaced.mockRestore()
        history.replaceState(null, '', before)
      }
    },
  }
  beforeEach(() => {
    localStorage.clear()
    service?.heal()
    vi.stubGlobal('indexedDB', new IDBFactory())
    popups = []
    left = []
    clock = fakeClock()
    world.blocked = false
    vi.spyOn(location, 'assign').mockImplementation(url => void left.push(String(url)))
    vi.stubGlobal('open', (_url: string, _name: string, features: string) => {
      if (world.blocked) return null
      const popup = {
        closed: false,
        features,
        visited: [] as string[],
        location: { replace: (url: string) => void popup.visited.push(url) },
        focus() {},
        close() {
          popup.closed = true
        },
      }
      popups.push(popup)
      return popup
    })
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  })
  afterEach(() => {
    for (const { keybay } of pages) keybay.dispose()
    pages = []
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return world
}
