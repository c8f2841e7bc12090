/** Opens pages on a phone. Simulates how Android opens an app; the wallet app, its websocket and its encryption are real. */
import 'fake-indexeddb/auto'
import { createKeybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { type MobileWalletOptions, mobileWallet } from '@keybay/mobile-wallet'
import { type MobilePhone, startMobilePhone } from '@keybay/sandbox-wallets/mobile'
import bs58 from 'bs58'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { WebSocket } from 'ws'

export const ID = 'mobile-wallet'
export const message: Uint8Array = new TextEncoder().encode('Grüezi')
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const FIRST_PORT = 49_152
const PORTS = 16_384
const sockets = new Set<WebSocket>()
let hosts: { dispose(): void }[] = []

class BrowserSocket extends WebSocket {
  constructor(url: string, protocols?: string | string[]) {
    super(url, protocols)
    sockets.add(this)
    Reflect.set(this, 'binaryType', 'blob') // newer than its types
    this.on('error', () => {}) // a browser reports errors to listeners only
  }
}

/** Starts a phone for the file; each test opens its page on the phone. */
export function setUpPhone() {
  let phone: MobilePhone
  /** The addresses by which the page opened the app. */
  const calls: string[] = []
  const world = {
    get phone() {
      return phone
    },
    calls,
    /** Without an app the page stays in front. */
    installed: true,
    openSockets: () => [...sockets].filter(({ readyState }) => readyState <= WebSocket.OPEN).length,
  }
  beforeAll(async () => {
    phone = await startMobilePhone()
  })
  afterAll(() => phone.stop())
  beforeEach(() => {
    localStorage.clear()
    phone.wallet.forgetApps()
    phone.wallet.change = undefined
    phone.wallet.user = 'approves'
    phone.wallet.features = ['solana:signTransactions']
    calls.length = 0
    world.installed = true
    sockets.clear()
    vi.stubGlobal('indexedDB', new IDBFactory())
    vi.stubGlobal('WebSocket', BrowserSocket)
    // The library chooses a random port; here it is the app's.
    vi.spyOn(Math, 'random').mockReturnValue((phone.port - FIRST_PORT + 0.5) / PORTS)
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(ANDROID)
    Reflect.set(window, 'isSecureContext', true)
    vi.spyOn(location, 'assign').mockImplementation(address => {
      calls.push(String(address))
      if (!world.installed) return
      phone.associate(String(address))
      // The app covers the page, by which the library notices that it opened.
      queueMicrotask(() => dispatchEvent(new Event('blur')))
    })
  })
  afterEach(() => {
    for (const host of hosts.splice(0)) host.dispose()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return world
}

/** Loads the page again; the previous page is gone. */
export function openPage(options: MobileWalletOptions = {}, clock = fakeClock()) {
  for (const host of hosts) host.dispose()
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', clock, plugins: [mobileWallet(options)] })
  hosts = [keybay]
  keybay.connectors.list()
  keybay.connections.subscribe(() => {})
  return { keybay, clock, features: keybay.connectors.get(ID).wallet.features }
}

export async function connect(options?: MobileWalletOptions) {
  const page = openPage(options)
  const { accounts } = await page.keybay.connect(ID)
  const [account] = accounts
  if (!account) throw new Error('The wallet gave no account')
  const sign = () => page.features['solana:signMessage'].signMessage({ account, message })
  return { ...page, account, sign }
}

/** Builds an unsigned legacy transfer from an account to itself. https://solana.com/docs/core/transactions */
export function transfer(address: string, lamports: number): Uint8Array {
  const data = new DataView(new ArrayBuffer(12))
  data.setUint32(0, 2, true)
  data.setBigUint64(4, BigInt(lamports), true)
  return Uint8Array.from([
    ...[1, ...new Uint8Array(64)],
    ...[1, 0, 1, 2, ...bs58.decode(address), ...new Uint8Array(32)],
    ...new Uint8Array(32).fill(9),
    ...[1, 1, 2, 0, 0, 12, ...new Uint8Array(data.buffer)],
  ])
}

export async function verifies(address: string, signature: Uint8Array, signed: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(bs58.decode(address)), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(signed))
}
