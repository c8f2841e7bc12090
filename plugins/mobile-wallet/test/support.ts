/** A phone under the page: its wallet app is real, its websocket and its encryption too; only the hand-over by Android is played. */
import 'fake-indexeddb/auto'
import { type MobilePhone, startMobilePhone } from '@keybay/sandbox-wallets/mobile'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import { WebSocket } from 'ws'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const FIRST_PORT = 49_152
const PORTS = 16_384

/** As browsers give it. */
class BrowserSocket extends WebSocket {
  constructor(url: string, protocols?: string | string[]) {
    super(url, protocols)
    Reflect.set(this, 'binaryType', 'blob') // of which its types do not know yet
    this.on('error', () => {}) // a browser tells listeners, and nobody else
  }
}
export interface World {
  readonly phone: MobilePhone
  /** Every time the wallet's app was called. */
  readonly calls: readonly string[]
  /** No app takes the call: the page stays in front. */
  installed: boolean
}

/** Puts the page on the phone. */
export function enterPhone(phone: MobilePhone): World {
  const calls: string[] = []
  const world: World = { phone, calls, installed: true }
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('WebSocket', BrowserSocket)
  // Which port the page tries is its own free choice; here it is the one where the app answers.
  vi.spyOn(Math, 'random').mockReturnValue((phone.port - FIRST_PORT + 0.5) / PORTS)
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(ANDROID)
  Reflect.set(window, 'isSecureContext', true)
  vi.spyOn(location, 'assign').mockImplementation(address => {
    calls.push(String(address))
    if (!world.installed) return
    phone.associate(String(address))
    // The app covers the page.
    queueMicrotask(() => dispatchEvent(new Event('blur')))
  })
  return world
}

export function leavePhone(): void {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}
export { startMobilePhone }
