/** The sandbox's own wallet in the page. Its code, with the cryptography of its keys, loads after the page. */
import { chainUrl } from '../config.js'

function load() {
  return import('@keybay/sandbox-wallets')
}

/** Registers the test wallet that has every feature. It is listed beside the wallets that the user installed. */
async function register(): Promise<void> {
  const { registerSandboxWallet } = await load()
  registerSandboxWallet({ rpcUrl: chainUrl, launcher: false })
}

/** Key in local storage under which the wallet stores its keys. */
const KEYS = 'keybay-sandbox-wallet:keyring'
/** The user does something: from here on, a list of wallets may open. */
const FIRST_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

let registered: Promise<void> | undefined

/** Registers the wallet once: at once if it has keys, which an app may reconnect; else when the user first does something. */
export function offerSandboxWallet(): void {
  const control = new AbortController()
  const start = () => {
    control.abort()
    registered ??= register()
  }
  if (hasKeys()) {
    start()
    return
  }
  // Another tab connects the wallet, and this one follows.
  addEventListener('storage', ({ key }) => key === KEYS && start(), { signal: control.signal })
  for (const event of FIRST_EVENTS) addEventListener(event, start, { passive: true, signal: control.signal })
}

function hasKeys(): boolean {
  try {
    return localStorage.getItem(KEYS) !== null
  } catch {
    return false
  }
}

export async function openSandboxWallet(): Promise<void> {
  registered ??= register()
  await registered
  const { openSandboxWallet } = await load()
  openSandboxWallet()
}
