// @vitest-environment happy-dom
import { mockWallet, settle } from '@keybay/kernel/testing'
import { registerWallet } from '@wallet-standard/wallet'
import { describe, expect, it, vi } from 'vitest'
import { find, ids, open, register } from './page.js'

describe('registration', () => {
  it('announces the app to wallets only once the host lists connectors', () => {
    const ready = vi.fn()
    window.addEventListener('wallet-standard:app-ready', ready)
    const keybay = open()
    expect(ready).not.toHaveBeenCalled()
    keybay.connectors.list()
    expect(ready).toHaveBeenCalledTimes(1)
    window.removeEventListener('wallet-standard:app-ready', ready)
  })
  it('[S1.16] lists a wallet that registered before the app started', () => {
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
  it('[S1.16] lists a wallet that registers later and notifies subscribers once', async () => {
    const keybay = open()
    const before = keybay.connectors.list()
    const onChange = vi.fn()
    keybay.connectors.subscribe(onChange)
    registerWallet(mockWallet({ name: 'Late' }).wallet)
    expect(ids(keybay)).toEqual([...before.map(({ id }) => id), 'wallet-standard:late'])
    await settle()
    expect(onChange).toHaveBeenCalledTimes(1)
  })
  it('removes a wallet that unregisters from every instance of the page', async () => {
    const unregister = register(mockWallet({ name: 'Leaving' }).wallet)
    const hosts = [open(), open()]
    for (const keybay of hosts) expect(ids(keybay)).toContain('wallet-standard:leaving')
    const onChange = vi.fn()
    for (const keybay of hosts) keybay.connectors.subscribe(onChange)
    unregister()
    for (const keybay of hosts) expect(ids(keybay)).not.toContain('wallet-standard:leaving')
    await settle()
    expect(onChange).toHaveBeenCalledTimes(2)
  })
  it('lists a wallet again that unregistered and registers again', () => {
    const mock = mockWallet({ name: 'Back' })
    const keybay = open()
    ids(keybay)
    register(mock.wallet)()
    register(mock.wallet)
    expect(ids(keybay)).toContain('wallet-standard:back')
    expect(mock.listeners).toBe(1)
  })
  it('stops listening to wallets and registrations after dispose', () => {
    const early = mockWallet({ name: 'Early' })
    register(early.wallet)
    const keybay = open()
    ids(keybay)
    expect(early.listeners).toBe(1)
    keybay.dispose()
    expect(early.listeners).toBe(0)
    const late = mockWallet({ name: 'Later' })
    register(late.wallet)
    expect(late.listeners).toBe(0)
    expect(ids(keybay)).toEqual([])
  })
  it('reads each of 1,000 wallets once and notifies subscribers once', async () => {
    const keybay = open()
    const first = ids(keybay).length
    const onChange = vi.fn()
    keybay.connectors.subscribe(onChange)
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
    expect(onChange).toHaveBeenCalledTimes(1)
    expect(keybay.connectors.list()).toBe(keybay.connectors.list())
  })
})
