/** Registers wallets in the page and opens hosts that list them. */
import { type Config, createKeybay, type Keybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import type { Wallet } from '@wallet-standard/base'
import { afterEach, vi } from 'vitest'
import { type StandardWallet, type WalletStandardOptions, walletStandard } from '../src/index.js'

export type Host = Keybay<ReturnType<typeof walletStandard>>
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  vi.restoreAllMocks()
})

let environments = 0
/** Opens a Keybay with this plugin only and disposes it when the test ends. */
export function open(config: Partial<Config> = {}, options?: WalletStandardOptions): Host {
  environments++
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    environmentId: `test-${environments}`,
    clock: fakeClock(),
    ...config,
    plugins: [walletStandard(options)],
  })
  ends.push(keybay.dispose)
  return keybay
}
/** Registers like an extension does, with present and later apps. Returns unregister. */
export function register(...wallets: readonly unknown[]): () => void {
  const offs: (() => void)[] = []
  // Hostile scripts may pass anything, so the types allow it.
  const callback = (api: { readonly register: (...wallets: readonly unknown[]) => () => void }) => {
    offs.push(api.register(...wallets))
  }
  const ready = (event: Event) => callback(Reflect.get(event, 'detail'))
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  window.addEventListener('wallet-standard:app-ready', ready)
  const unregister = () => {
    window.removeEventListener('wallet-standard:app-ready', ready)
    for (const off of offs.splice(0)) off()
  }
  ends.push(unregister)
  return unregister
}

export function ids(keybay: Host): readonly string[] {
  return keybay.connectors.list().map(({ id }) => id)
}

export function find(keybay: Host, id: StandardWallet['id']): StandardWallet {
  const listed = ids(keybay) // starts the plugin
  const connector = keybay.connectors.get(id)
  if (!connector) throw new Error(`${id} is not listed, only ${listed}`)
  return connector
}
/** Returns the wallet with some properties replaced, also by values that its type forbids. */
export function twist(wallet: Wallet, what: PropertyDescriptorMap): Wallet {
  return Object.create(wallet, what)
}
export const throwing: PropertyDescriptor = {
  get() {
    throw new Error('This getter throws')
  },
}
