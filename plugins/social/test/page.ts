/** A page with the kit, its windows, and a provider. */
import 'fake-indexeddb/auto'
import { account } from '@keybay/account'
import { type Config, createKeybay, type Keybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { google, type SocialOptions, shopify, social, telegram } from '../src/index.js'
import { finishSocialSignIn } from '../src/return/index.js'
import { type Flow, type Service, startService } from './service.js'

/** A window that the page opened, as the page sees it. */
export type Popup = ReturnType<typeof createPopup>

function createPopup(features: string) {
  /** URLs it was navigated to. */
  const visited: string[] = []
  const opener: Window | null = window
  const popup = {
    closed: false,
    opener,
    features,
    visited,
    location: { replace: (url: string) => void visited.push(url) },
    focus() {},
    close() {
      popup.closed = true
    },
  }
  return popup
}

function plugins(options: SocialOptions) {
  return [account(), google(), telegram(), shopify(), social(options)] as const
}
export interface Page {
  readonly keybay: Keybay<ReturnType<typeof plugins>[number]>
  readonly logged: readonly { readonly level: string }[]
}

export async function until(look: () => unknown): Promise<void> {
  await expect.poll(look, { interval: 2 }).toBeTruthy()
}

export function completion(flow: Flow, more: object = { code: 'c', params: { code: 'c', state: flow.stateHash } }) {
  return { type: 'authorization_response', provider: flow.provider, state: flow.stateHash, params: {}, ...more }
}

export function getError(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  return promise.then(
    () => Promise.reject(new Error('It did not fail.')),
    error => error,
  )
}

/** Waits for the question whether to add the login to the signed-in user's account, and returns it. */
export async function getLinkQuestion({ prompts }: Page['keybay']) {
  const find = () => prompts.list().find(prompt => prompt.type === 'choice')
  await until(find)
  return required(find())
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The world does not have it yet.')
  return value
}

class World {
  #service: Service | undefined
  #page: Page | undefined
  /** In opening order. */
  popups: Popup[] = []
  /** URLs that the page went to. */
  left: string[] = []
  clock = fakeClock()
  /** Makes the browser block windows. */
  blocked = false

  get service(): Service {
    return required(this.#service)
  }
  async start() {
    this.#service = await startService()
  }
  async stop() {
    await this.#service?.stop()
  }

  /** Puts fakes in the place of the browser's windows, navigation and storage. */
  reset() {
    localStorage.clear()
    this.service.heal()
    vi.stubGlobal('indexedDB', new IDBFactory())
    this.popups = []
    this.left = []
    this.clock = fakeClock()
    this.blocked = false
    vi.spyOn(location, 'assign').mockImplementation(url => void this.left.push(String(url)))
    vi.stubGlobal('open', (_url: string, _name: string, features: string) => {
      if (this.blocked) return null
      const popup = createPopup(features)
      this.popups.push(popup)
      return popup
    })
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  }
  close() {
    this.#page?.keybay.dispose()
    this.#page = undefined
  }

  popup(index: number): Popup {
    return required(this.popups[index])
  }

  /** Loads a page at this address; disposes the previous one. */
  open(options: SocialOptions = {}, address = '/', config: Partial<Config> = {}): Page {
    this.close()
    history.replaceState(null, '', address)
    const keybay = createKeybay({
      appName: 'Test',
      environmentId: 'local',
      baseApiUrl: this.service.url,
      logLevel: 'silent',
      clock: this.clock,
      ...config,
      plugins: plugins(options),
    })
    const logged: { level: string }[] = []
    keybay.on('log', entry => logged.push(entry))
    keybay.connectors.subscribe(() => {})
    this.#page = { keybay, logged }
    return this.#page
  }

  /** Waits until `count` windows are at the provider, and returns the last flow. */
  async visited(count = 1): Promise<Flow> {
    await until(() => this.popups.filter(({ visited }) => visited.length > 0).length >= count)
    return required(this.service.flows.at(-1))
  }

  /** Posts a message of a window; default for `from`: the page's origin. */
  post(popup: Popup, data: unknown, from = location.origin) {
    const event = new MessageEvent('message', { origin: from, data })
    Object.defineProperty(event, 'source', { value: popup })
    window.dispatchEvent(event)
  }

  /** Runs the return page, in the window or in the tab. */
  async comeBack(url: string, opener?: Popup, patience = 10_000): Promise<string> {
    const before = location.href
    history.replaceState(null, '', url)
    const targets: string[] = []
    const postMessage = (data: unknown, target: string) => {
      targets.push(target)
      if (opener && target === location.origin) this.post(opener, data)
    }
    Object.defineProperty(window, 'opener', { configurable: true, value: opener && { postMessage } })
    const replaced = vi.spyOn(location, 'replace').mockImplementation(next => void this.left.push(String(next)))
    try {
      const outcome = await finishSocialSignIn({ patience })
      expect(location.search + location.hash).toBe('') // no code stays in an address
      if (outcome === 'unheard') return outcome
      return outcome === 'posted' ? targets.join() : (this.left.at(-1) ?? '')
    } finally {
      replaced.mockRestore()
      history.replaceState(null, '', before)
    }
  }
}

export function setUpWorld(): World {
  const world = new World()
  beforeAll(() => world.start())
  beforeEach(() => world.reset())
  afterEach(() => {
    world.close()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  afterAll(() => world.stop())
  return world
}
