/** Simulates how Android opens an app. The wallet app, its websocket and its encryption are real. */
import 'fake-indexeddb/auto'
import { type MobilePhone, startMobilePhone } from '@keybay/sandbox-wallets/mobile'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import { WebSocket } from 'ws'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const FIRST_PORT = 49_152
const PORTS = 16_384
const sockets = new Set<WebSocket>()

/** Behaves like a browser's WebSocket. */
class BrowserSocket extends WebSocket {
  constructor(url: string, protocols?: string | string[]) {
    super(url, protocols)
    sockets.add(this)
    Reflect.set(this, 'binaryType', 'blob') // newer than its types
    this.on('error', () => {}) // a browser reports errors to listeners only
  }
}
export interface World {
  readonly phone: MobilePhone
  /** The addresses by which the page opened the app. */
  readonly calls: readonly string[]
  /** Without an app the page stays in front. */
  installed: boolean
  openSockets(): number
}

export function enterPhone(phone: MobilePhone): World {
  const calls: string[] = []
  const openSockets = () => [...sockets].filter(({ readyState }) => readyState <= WebSocket.OPEN).length
  const world: World = { phone, calls, installed: true, openSockets }
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
  return world
}

export function leavePhone(): void {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}
export { startMobilePhone }
