/** Opens pages that share one storage, each with its own Keybay. */
import 'fake-indexeddb/auto'
import { type Clock, createKeybay, type KeybayEvents } from '@keybay/kernel'
import type { WalletAccount } from '@wallet-standard/base'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type DeepLinkConnector, type DeepLinkOptions, deepLink } from '../src/index.js'
import { installPhone, type Phone } from './phone.js'

export type WalletId = 'deep-link:phantom' | 'deep-link:solflare'
export type Page = ReturnType<World['open']>
export type World = ReturnType<typeof setUpWorld>

export function setUpWorld() {
  let phone: Phone | undefined
  let clock: Clock | undefined
  let hosts: { dispose(): void }[] = []
  const close = () => {
    for (const host of hosts) host.dispose()
    hosts = []
  }
  /** Opens another page beside those that are open. */
  const openTab = (address?: string, options: DeepLinkOptions = {}) => {
    if (address !== undefined) history.replaceState(null, '', address)
    const config = { appName: 'Test', logLevel: 'silent' as const, ...(clock && { clock }) }
    const keybay = createKeybay({ ...config, plugins: [deepLink(options)] })
    hosts.push(keybay)
    const events: { name: keyof KeybayEvents; payload: unknown }[] = []
    keybay.onAny((name, payload) => events.push({ name, payload }))
    keybay.connectors.list()
    return {
      keybay,
      event: (name: keyof KeybayEvents) => events.find(event => event.name === name)?.payload,
      wallet(id: WalletId): DeepLinkConnector {
        const connector = keybay.connectors.get(id)
        if (connector?.kind !== 'wallet') throw new Error(`There is no ${id}`)
        return connector
      },
      account(id: WalletId): WalletAccount {
        const account = keybay.connections.get(id)?.accounts[0]
        if (!account) throw new Error('No wallet is connected')
        return account
      },
    }
  }
  beforeEach(() => {
    localStorage.clear()
    vi.stubGlobal('indexedDB', new IDBFactory())
    history.replaceState(null, '', '/')
    clock = undefined
    phone = installPhone()
  })
  afterEach(() => {
    close()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return {
    get phone() {
      if (!phone) throw new Error('The phone is installed in beforeEach')
      return phone
    },
    setClock(next: Clock) {
      clock = next
    },
    openTab,
    /** Opens a page at this address and closes the previous pages. */
    open(address?: string, options?: DeepLinkOptions) {
      close()
      return openTab(address, options)
    },
  }
}
export async function until(look: () => unknown): Promise<void> {
  await expect.poll(look, { interval: 1 }).toBeTruthy()
}

export async function leaveToConnect({ keybay }: Page, { phone }: World, id: WalletId): Promise<void> {
  const before = phone.visits.length
  keybay.connect(id).catch(() => {}) // its page is gone by then
  await until(() => phone.visits.length > before)
}

export async function openConnected(world: World, id: WalletId, address: string, options?: DeepLinkOptions) {
  const page = world.open(address, options)
  await until(() => page.keybay.connections.get(id))
  return page
}

export async function connected(world: World, id: WalletId, options?: DeepLinkOptions): Promise<Page> {
  await leaveToConnect(world.open('/', options), world, id)
  return openConnected(world, id, await world.phone.answer(), options)
}

export async function openWith(world: World, event: 'operation:resumed' | 'operation:failed', address?: string) {
  const page = world.open(address ?? (await world.phone.answer()))
  await until(() => page.event(event))
  return page
}
/** Builds an unsigned legacy transfer from an account to itself. */
export function transfer(from: Uint8Array, lamports: number): Uint8Array {
  return Uint8Array.from([
    ...[1, ...new Uint8Array(64)], // one signature, empty
    ...[1, 0, 1], // one signer, who writes; one account that does not
    ...[2, ...from, ...new Uint8Array(32), ...new Uint8Array(32).fill(9)],
    ...[1, 1, 2, 0, 0, 12, 2, 0, 0, 0, lamports, 0, 0, 0, 0, 0, 0, 0],
  ])
}
