// @vitest-environment happy-dom
import { mockWallet, settle } from '@keybay/kernel/testing'
import { getWallets } from '@wallet-standard/app'
import { registerWallet } from '@wallet-standard/wallet'
import { describe, expect, it, vi } from 'vitest'
import { find, ids, open, register } from './page.js'

describe('registration', () => {
  it('[S1.16] lists at the first look a wallet that the official library registered before', () => {
    const { wallet } = mockWallet({ name: 'Early' })
    registerWallet(wallet)
    const keybay = open()
    expect(ids(keybay)).toContain('wallet-standard:early')
    expect(find(keybay, 'wallet-standard:early')).toMatchObject({
      kind: 'wallet',
      name: 'Early',
      icon: wallet.icon,
      readiness: 'ready',
      connectionType: 'browserExtension',
    })
    expect(find(keybay, 'wallet-standard:early').wallet).toBe(wallet)
  })
  it('[S1.16] lists a wallet that the official library registers later, and tells subscribers once', async () => {
    const keybay = open()
    const before = keybay.connectors.list()
    const told = vi.fn()
    keybay.connectors.subscribe(told)
    registerWallet(mockWallet({ name: 'Late' }).wallet)
    expect(ids(keybay)).toEqual([...before.map(({ id }) => id), 'wallet-standard:late'])
    await settle()
    expect(told).toHaveBeenCalledTimes(1)
  })
  it('sees the same wallets as the official app library in the same page', () => {
    register(mockWallet({ name: 'Shared' }).wallet)
    const theirs = getWallets().get()
    const ours = open()
      .connectors.list()
      .map(connector => (connector.kind === 'wallet' ? connector.wallet : undefined))
    expect(new Set(ours)).toEqual(new Set(theirs))
    expect(theirs.map(({ name }) => name)).toContain('Shared')
  })
  it('does not touch the page before the first look', () => {
    const ready = vi.fn()
    window.addEventListener('wallet-standard:app-ready', ready)
    const keybay = open()
    expect(ready).not.toHaveBeenCalled()
    keybay.connectors.list()
    expect(ready).toHaveBeenCalledTimes(1)
    window.removeEventListener('wallet-standard:app-ready', ready)
  })
  it('lets a wallet go that unregisters, in every instance of the page', async () => {
    const unregister = register(mockWallet({ name: 'Leaving' }).wallet)
    const hosts = [open(), open()]
    for (const keybay of hosts) expect(ids(keybay)).toContain('wallet-standard:leaving')
    const told = vi.fn()
    for (const keybay of hosts) keybay.connectors.subscribe(told)
    unregister()
    for (const keybay of hosts) expect(ids(keybay)).not.toContain('wallet-standard:leaving')
    await settle()
    expect(told).toHaveBeenCalledTimes(2)
  })
  it('lists a wallet again that comes back', () => {
    const mock = mockWallet({ name: 'Back' })
    const keybay = open()
    ids(keybay)
    register(mock.wallet)()
    register(mock.wallet)
    expect(ids(keybay)).toContain('wallet-standard:back')
    expect(mock.listeners).toBe(1)
  })
  it('takes nothing along when it is disposed, and hears nothing after', () => {
    const mock = mockWallet({ name: 'Kept' })
    const apis: { register(...wallets: unknown[]): unknown }[] = []
    const ready = (event: Event) => apis.push(Reflect.get(event, 'detail'))
    window.addEventListener('wallet-standard:app-ready', ready)
    register(mock.wallet)
    const keybay = open()
    ids(keybay)
    window.removeEventListener('wallet-standard:app-ready', ready)
    expect(mock.listeners).toBe(1)
    keybay.dispose()
    expect(mock.listeners).toBe(0)
    // Later: through the event, and through an API that a wallet kept.
    const late = mockWallet({ name: 'Later' })
    register(late.wallet)
    for (const api of apis) api.register(late.wallet)
    expect(late.listeners).toBe(0)
    expect(ids(keybay)).toEqual([])
  })
  it('takes 1,000 wallets in one batch: each looked at once, subscribers told once', async () => {
    const keybay = open()
    const first = ids(keybay).length
    const told = vi.fn()
    keybay.connectors.subscribe(told)
    let reads = 0
    const wallets = Array.from({ length: 1000 }, (_, i) => {
      const { wallet } = mockWallet({ name: `Wallet ${i}` })
      return Object.create(wallet, {
        name: {
          get: () => {
            reads++
            return `Wallet ${i}`
          },
        },
      })
    })
    for (const wallet of wallets) register(wallet)
    expect(ids(keybay)).toHaveLength(first + 1000)
    expect(reads).toBe(1000)
    await settle()
    expect(told).toHaveBeenCalledTimes(1)
    expect(keybay.connectors.list()).toBe(keybay.connectors.list())
  })
})
