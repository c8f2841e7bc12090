// @vitest-environment happy-dom
/** Wallets that break what the types promise: the kernel goes on. */
import { describe, expect, it, vi } from 'vitest'
import type { WalletConnector } from '../src/index.js'
import { mockWallet, settle } from '../src/testing/index.js'
import { account, fakeWallet, host, walletConnector } from './helpers.js'

let environments = 0

function environmentId() {
  return `hostile-${++environments}`
}

function withOff(off: unknown): WalletConnector {
  const { wallet, ...connector } = mockWallet().connector
  const on = () => off
  const events = { 'standard:events': { value: { version: '1.0.0', on } } }
  return {
    ...connector,
    wallet: Object.create(wallet, { features: { value: Object.create(wallet.features, events) } }),
  }
}

describe('hostile wallets', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('off')
      },
    ],
    ['is no function', 'off'],
  ])('an `off` that %s blocks neither disconnect nor dispose', async (_what, off) => {
    const { keybay, kernel } = host([withOff(off)], { environmentId: environmentId() })
    const ended = vi.fn()
    kernel.onDispose(ended)
    await keybay.connect('mock')
    await expect(keybay.disconnect('mock')).resolves.toBeUndefined()
    expect(keybay.connections.list()).toEqual([])
    await keybay.connect('mock')
    keybay.dispose()
    expect(keybay.connections.list()).toEqual([])
    expect(ended).toHaveBeenCalledTimes(1)
  })
  it('another wallet with the same id does not inherit the connection', async () => {
    const [first, second] = [fakeWallet('w'), fakeWallet('w', [account('w2')])]
    const { keybay, kernel } = host([], { environmentId: environmentId() })
    const remove = kernel.connectors.add(walletConnector(first))
    await keybay.connect('w')
    // An extension that is updated leaves and returns at once.
    remove()
    kernel.connectors.add(walletConnector(second))
    await settle()
    expect(second.calls).toEqual([{ silent: true }])
    expect(keybay.connections.get('w')?.accounts[0]?.address).toBe('w2')
    expect(first.listeners.size).toBe(0)
  })
  it('an update of the connector keeps the connection', async () => {
    const { keybay, kernel } = host([walletConnector(fakeWallet('w'))], { environmentId: environmentId() })
    const connection = await keybay.connect('w')
    kernel.connectors.update('w', { name: 'Renamed' })
    await settle()
    expect(keybay.connections.get('w')).toBe(connection)
  })
  it('leaves out an account whose chains are not strings', async () => {
    const bad = Object.defineProperty({ ...account('bad') }, 'chains', { value: [null] })
    const worse = Object.defineProperty({ ...account('worse') }, 'chains', { value: 'solana:devnet' })
    const { keybay } = host([walletConnector(fakeWallet('w', [bad, worse, account('w1')]))], {
      environmentId: environmentId(),
    })
    await keybay.connect('w')
    expect(keybay.accounts.list().map(({ address }) => address)).toEqual(['w1'])
    expect(keybay.accounts.active()?.address).toBe('w1')
  })
  it.each(['address', 'label', 'chains'] as const)('lists the others after a wallet changes its %s', async name => {
    const read = vi.fn<() => unknown>(() => account('w1')[name])
    const change = (id: string) => Object.defineProperty({ ...account(id) }, name, { get: read })
    const wallets = ['w', 'v', 'u'].map(id => fakeWallet(id, id === 'w' ? [change('w1')] : undefined))
    const { keybay } = host(
      wallets.map(wallet => walletConnector(wallet)),
      { environmentId: environmentId() },
    )
    const list = () => keybay.accounts.list().map(({ address }) => address)
    await keybay.connect('w')
    read.mockImplementation(() => {
      throw new Error('trap')
    })
    await keybay.connect('v')
    expect(list()).toEqual(['v1'])
    read.mockReturnValue({ every: () => true })
    await keybay.connect('u')
    expect(list()).toEqual(['v1', 'u1'])
    expect(keybay.accounts.active()?.address).toBe('v1')
  })
  it('leaves out an account whose chains only pass for a list', async () => {
    const bad = Object.defineProperty({ ...account('bad') }, 'chains', { value: { every: () => true } })
    const { keybay } = host([walletConnector(fakeWallet('w', [bad, account('w1')]))], {
      environmentId: environmentId(),
    })
    await keybay.connect('w')
    expect(keybay.accounts.active()?.address).toBe('w1')
  })
  it('logs an error value whose getters throw', () => {
    const allTraps = new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('trap')
        },
      },
    )
    const { keybay, kernel } = host([], { environmentId: environmentId() })
    const entries = vi.fn()
    keybay.on('log', entries)
    kernel.logger.error('thrown', new Proxy({}, allTraps))
    expect(entries).toHaveBeenCalledWith(expect.objectContaining({ message: 'thrown', meta: '[unreadable]' }))
  })
})
