/** A page with the kit, its windows, and a provider. */
import 'fake-indexeddb/auto'
import { account } from '@keybay/account'
import { type Config, createKeybay, type Keybay } from '@keybay/kernel'
import { type FakeClock, fakeClock } from '@keybay/kernel/testing'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { google, type SocialOptions, shopify, social, telegram } from '../src/index.js'
import { finishSocialSignIn } from '../src/return/index.js'
import { type Flow, type Service, startService } from './service.js'

/** A window that the page opened, as the page sees it. */
export interface Popup {
  closed: boolean
  readonly features: string
  /** URLs it was navigated to. */
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
  /** In opening order. */
  readonly popups: readonly Popup[]
  popup(index: number): Popup
  /** URLs that the page went to. */
  readonly left: readonly string[]
  readonly clock: FakeClock
  /** Makes the browser block windows. */
  blocked: boolean
  /** Loads a page at this address; disposes the previous one. */
  open(options?: SocialOptions, address?: string, config?: Partial<Config>): Page
  /** Waits until `count` windows are at the provider, and returns the last flow. */
  visited(count?: number): Promise<Flow>
  /** Posts a message of a window; default for `from`: the page's origin. */
  post(popup: Popup, data: unknown, from?: string): void
  /** Runs the return page, in the window or in the tab. */
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
    () => Promise.reject(new Error('It did not fail.')),
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
    if (part === undefined) throw new Error('The world starts in beforeAll.')
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
