/** Opens pages that share one storage, each with its own Keybay. */
import 'fake-indexeddb/auto'
import { type Clock, createKeybay, type Keybay, type KeybayEvents } from '@keybay/kernel'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type DeepLinkConnector, type DeepLinkOptions, deepLink } from '../src/index.js'
import { installPhone, type Phone } from './phone.js'

export type WalletId = 'deep-link:phantom' | 'deep-link:solflare'
export interface Page {
  readonly keybay: Keybay<ReturnType<typeof deepLink>>
  readonly events: readonly { readonly name: keyof KeybayEvents; readonly payload: unknown }[]
  event(name: keyof KeybayEvents): unknown
  wallet(id: WalletId): DeepLinkConnector
}
export interface World {
  readonly phone: Phone
  /** Opens a page at this address and closes the previous pages. */
  open(address?: string, options?: DeepLinkOptions): Page
  /** Opens another page beside it. */
  openTab(address?: string, options?: DeepLinkOptions): Page
  clock: Clock | undefined
}

/** Call this once at the top of a test file. */
export function setUpWorld(): World {
  let phone: Phone | undefined
  let pages: Page[] = []
  const openTab = (address?: string, options: DeepLinkOptions = {}): Page => {
    if (address !== undefined) history.replaceState(null, '', address)
    const keybay = createKeybay({
      appName: 'Test',
      logLevel: 'silent',
      ...(world.clock && { clock: world.clock }),
      plugins: [deepLink(options)],
    })
    const events: { name: keyof KeybayEvents; payload: unknown }[] = []
    keybay.onAny((name, payload) => events.push({ name, payload }))
    keybay.connectors.list()
    const page: Page = {
      keybay,
      events,
      event: name => events.find(event => event.name === name)?.payload,
      wallet(id) {
        const connector = keybay.connectors.get(id)
        if (connector?.kind !== 'wallet') throw new Error(`There is no ${id}`)
        return connector
      },
    }
    pages.push(page)
    return page
  }
  const world: World = {
    get phone() {
      if (!phone) throw new Error('The phone is installed in beforeEach')
      return phone
    },
    clock: undefined,
    openTab,
    open(address, options) {
      for (const { keybay } of pages) keybay.dispose()
      pages = []
      return openTab(address, options)
    },
  }
  beforeEach(() => {
    localStorage.clear()
    vi.stubGlobal('indexedDB', new IDBFactory())
    history.replaceState(null, '', '/')
    world.clock = undefined
    phone = installPhone()
  })
  afterEach(() => {
    for (const { keybay } of pages) keybay.dispose()
    pages = []
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return world
}

/** Polls until the value is truthy. */
export function until(look: () => unknown): Promise<void> {
  return vi.waitFor(() => expect(look()).toBeTruthy(), { timeout: 5000, interval: 1 })
}

/** Connects and waits until the page leaves for the wallet. */
export async function leaveToConnect({ keybay }: Page, { phone }: World, id: WalletId): Promise<void> {
  const before = phone.visits.length
  keybay.connect(id).catch(() => {}) // its page is gone by then
  await until(() => phone.visits.length > before)
}
/** Connects and returns the page that the wallet returned to. */
export async function connected(world: World, id: WalletId, options?: DeepLinkOptions): Promise<Page> {
  await leaveToConnect(world.open('/', options), world, id)
  const page = world.open(await world.phone.answer(), options)
  await until(() => page.keybay.connections.get(id))
  return page
}
