/** Opens pages on a phone. Call `setUpPhone` once at the top of a test file. */
import { createKeybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { type MobileWalletOptions, mobileWallet } from '@keybay/mobile-wallet'
import type { MobilePhone } from '@keybay/sandbox-wallets/mobile'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { enterPhone, leavePhone, startMobilePhone, type World } from './support.js'

export const ID = 'mobile-wallet'
export const message: Uint8Array = new TextEncoder().encode('Grüezi')
let hosts: { dispose(): void }[] = []

/** Starts a phone for the file and resets it before each test. */
export function setUpPhone(): World {
  let phone: MobilePhone
  let current: World
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
    current = enterPhone(phone)
  })
  afterEach(() => {
    for (const host of hosts) host.dispose()
    hosts = []
    leavePhone()
  })
  return {
    get phone() {
      return phone
    },
    get calls() {
      return current.calls
    },
    get installed() {
      return current.installed
    },
    set installed(installed) {
      current.installed = installed
    },
    openSockets: () => current.openSockets(),
  }
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
