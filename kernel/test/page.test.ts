// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createKeybay, definePlugin, type LogEntry, lazyWallet } from '../src/index.js'
import { account, fakeWallet, host, testClock, walletConnector } from './helpers.js'

const VERSIONS = 'keybayVersions'
function forgetVersions(): void {
  Reflect.deleteProperty(globalThis, VERSIONS)
}
beforeEach(() => {
  forgetVersions()
  return forgetVersions
})

describe('versions', () => {
  const page = async (...versions: string[]) => {
    const clock = testClock()
    const plugins = versions.map((version, i) => definePlugin({ id: `p${i}`, version, kit: true, setup: () => ({}) }))
    const keybay = createKeybay({ appName: 'x', logLevel: 'silent', clock, plugins })
    const entries: LogEntry[] = []
    keybay.on('log', entry => entries.push(entry))
    keybay.connectors.list()
    await clock.advance(99)
    expect(entries).toEqual([])
    await clock.advance(1)
    return entries
  }
  it('[S8.6][S9.4] reports packages with different versions 100 ms after the start, and names the versions', async () => {
    const [entry] = await page('0.1.0', '9.9.9')
    expect(entry).toMatchObject({
      level: 'error',
      meta: {
        code: 'version_mismatch',
        message: expect.stringMatching(/@keybay\/kernel@0\.1\.0, @keybay\/p0@0\.1\.0, @keybay\/p1@9\.9\.9/),
      },
    })
  })
  it('[S8.6] reports nothing while all package versions match', async () => {
    expect(await page('0.1.0')).toEqual([])
  })
  it('ignores the versions of third-party plugins', async () => {
    const clock = testClock()
    const other = definePlugin({ id: 'acme', version: '7.7.7', setup: () => ({}) })
    const keybay = createKeybay({ appName: 'x', logLevel: 'silent', clock, plugins: [other] })
    const entries: LogEntry[] = []
    keybay.on('log', entry => entries.push(entry))
    keybay.connectors.list()
    await clock.advance(100)
    expect(entries).toEqual([])
  })
})

describe('announcing to other libraries', () => {
  it('announces a wallet by Wallet Standard, to libraries that listen already and to later ones', () => {
    const fake = fakeWallet('w')
    const { keybay } = host([walletConnector(fake)])
    const register = vi.fn()
    const hear = (event: Event) => {
      if (event instanceof CustomEvent) event.detail({ register })
    }
    window.addEventListener('wallet-standard:register-wallet', hear, { once: true })
    expect(keybay.connectors.announce('w')).toBe(true)
    expect(register).toHaveBeenCalledWith(fake.wallet)
    window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
    expect(register).toHaveBeenCalledTimes(2)
    expect(keybay.connectors.announce('unknown')).toBe(false)
  })
})

describe('a lazy wallet', () => {
  it('a lazy wallet has its features at once, loads once, forwards events, and retries a failed load', async () => {
    const real = fakeWallet('real')
    let fail = true
    const load = vi.fn(async () => {
      if (fail) throw new Error('offline')
      return real.wallet
    })
    const lazy = lazyWallet(
      {
        name: 'lazy',
        icon: 'data:image/svg+xml;base64,PHN2Zy8+',
        chains: ['solana:devnet'],
        features: { 'standard:connect': ['connect'], 'standard:disconnect': ['disconnect'] },
      },
      load,
    )
    const connector = walletConnector({
      ...fakeWallet('lazy'),
      wallet: { ...real.wallet, ...lazy, features: { ...real.wallet.features, ...lazy.features } },
    })
    expect(Object.keys(lazy.features)).toEqual(['standard:connect', 'standard:disconnect', 'standard:events'])
    expect(load).not.toHaveBeenCalled()
    const { keybay } = host([{ ...connector, preload: lazy.preload }])
    await expect(keybay.connect(connector.id)).rejects.toMatchObject({ message: expect.stringContaining('offline') })
    fail = false
    await keybay.connect(connector.id)
    real.emit([account('later')])
    expect(keybay.accounts.list()[0]?.address).toBe('later')
    keybay.connectors.preload(connector.id)
    expect(load).toHaveBeenCalledTimes(2)
  })
})

describe('changing a listed connector', () => {
  it('replaces a connector’s name, icon or readiness in a new object, and keeps its methods and wallet', () => {
    const { keybay, kernel } = host([walletConnector(fakeWallet('w'))])
    const before = keybay.connectors.list()
    kernel.connectors.update('w', { readiness: 'loading', name: 'New' })
    kernel.connectors.update('unknown', { name: 'x' })
    const after = keybay.connectors.list()
    expect(after).not.toBe(before)
    expect(after[0]).toMatchObject({ id: 'w', name: 'New', readiness: 'loading' })
    expect(before[0]).toMatchObject({ name: 'w', readiness: 'ready' })
  })
})
