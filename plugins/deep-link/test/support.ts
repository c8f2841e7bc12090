/** Pages that come and go: an instance each, on the same storage. */
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
  /** A page at this address; the one before it is gone. */
  open(address?: string, options?: DeepLinkOptions): Page
  /** Another one beside it. */
  openTab(address?: string, options?: DeepLinkOptions): Page
  clock: Clock | undefined
}

/** Call it once at the top of a file. */
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
      event: name => events.find(one => one.name === name)?.payload,
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
      if (!phone) throw new Error('The phone is there from beforeEach on')
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

/** Looks until it is so. */
export function until(look: () => unknown): Promise<void> {
  return vi.waitFor(() => expect(look()).toBeTruthy(), { timeout: 5000, interval: 1 })
}

/** Clicks connect, and waits until the page has left. */
export async function leaveToConnect({ keybay }: Page, { phone }: World, id: WalletId): Promise<void> {
  const before = phone.visits.length
  keybay.connect(id).catch(() => {}) // nobody is there any more when it ends
  await until(() => phone.visits.length > before)
}
/** Leaves for the wallet, and comes back connected in a page that was loaded anew. */
export async function connected(world: World, id: WalletId, options?: DeepLinkOptions): Promise<Page> {
  await leaveToConnect(world.open('/', options), world, id)
  const page = world.open(await world.phone.answer(), options)
  await until(() => page.keybay.connections.get(id))
  return page
}
