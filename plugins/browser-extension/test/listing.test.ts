// @vitest-environment happy-dom
import { createKeybay, type Keybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { createStandardWallet } from '@keybay/sandbox-wallets/extension'
import { walletStandard } from '@keybay/wallet-standard'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type BrowserExtensionOptions, browserExtension, injected, injectedWallets } from '../src/index.js'
import { clearPage, createExtension, inject } from './support.js'

const ALL = ['phantom', 'solflare', 'backpack', 'glow', 'exodus']
const PLACES: Readonly<Record<string, readonly [place: string, wrap: (provider: object) => unknown]>> = {
  phantom: ['phantom', solana => ({ solana })],
  solflare: ['solflare', provider => provider],
  backpack: ['backpack', provider => provider],
  glow: ['glow', provider => provider],
  exodus: ['exodus', solana => ({ solana })],
}
const hosts: { dispose(): void }[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose()
  clearPage()
  vi.restoreAllMocks()
})

function open(options: BrowserExtensionOptions = { installLinks: false }) {
  const clock = fakeClock()
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    clock,
    plugins: [walletStandard(), browserExtension(options)],
  })
  hosts.push(keybay)
  keybay.connectors.subscribe(() => {})
  return { keybay, clock }
}

function facts({ connectors }: Pick<Keybay, 'connectors'>) {
  return Object.fromEntries(
    connectors.list().map(({ id, readiness }) => [id.replace('browser-extension:', ''), readiness]),
  )
}

function provider() {
  return { ...createExtension().solana }
}

function announce(wallet: object) {
  let leave = () => {}
  const detail = ({ register }: { register(wallet: object): () => void }) => {
    leave = register(wallet)
  }
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
  return () => leave()
}

describe('wallets that inject', () => {
  it.each(Object.entries(PLACES))('%s is found in its own place', (key, [place, wrap]) => {
    inject(place, wrap(provider()))
    expect(facts(open().keybay)).toEqual({ [key]: 'ready' })
  })
  it('one that the host adds is found and connects like the others', async () => {
    const { solana, store } = createExtension()
    inject('acme', { solana })
    const acme = injected({ name: 'Acme', path: 'acme.solana', installUrl: 'https://acme.example' })
    const { keybay } = open({ wallets: [...injectedWallets(), acme], installLinks: false })
    expect(facts(keybay)).toEqual({ acme: 'ready' })
    const { accounts } = await keybay.connect('browser-extension:acme')
    expect(accounts[0]?.address).toBe(solana.publicKey?.toBase58())
    expect((await store.read()).trusted).toEqual([location.origin])
  })
  it('those that are not there are offered for installation', async () => {
    inject('solflare', provider())
    const { keybay } = open({})
    const others = ALL.filter(key => key !== 'solflare').map(key => [key, 'not-installed'] as const)
    expect(facts(keybay)).toEqual({ solflare: 'ready', ...Object.fromEntries(others) })
    for (const { readiness, installUrl } of keybay.connectors.list())
      if (readiness === 'not-installed') expect(installUrl).toMatch(/^https:\/\//)
    await expect(keybay.connect('browser-extension:phantom')).rejects.toMatchObject({
      code: 'connector_not_ready',
      message: expect.stringContaining('https://phantom.com/download'),
    })
  })
  it('no installation is offered on a phone, nor where the host does not want it', async () => {
    const quiet = open()
    await quiet.clock.advance(20_000)
    expect(facts(quiet.keybay)).toEqual({})
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15; Pixel 9)')
    const phone = open({})
    await phone.clock.advance(20_000)
    expect(facts(phone.keybay)).toEqual({})
  })
  it('one that comes late is listed when it comes, and takes the place of its installation', async () => {
    const [quiet, offering] = [open(), open({})]
    expect(facts(offering.keybay)).toMatchObject({ phantom: 'not-installed' })
    await quiet.clock.advance(700)
    await offering.clock.advance(1500)
    inject('phantom', { solana: provider() })
    await quiet.clock.advance(800)
    await offering.clock.advance(1600)
    expect(facts(quiet.keybay)).toEqual({ phantom: 'ready' })
    expect(facts(offering.keybay)).toMatchObject({ phantom: 'ready', solflare: 'not-installed' })
  })
  it('nobody looks for ever', async () => {
    const { clock } = open()
    await clock.advance(60_000)
    expect(clock.pending()).toBe(0)
  })
})

describe('two wallets that fight over window.solana', () => {
  it('are both found in their own places, whoever won', () => {
    const [phantom, solflare] = [provider(), { ...provider(), isSolflare: true }]
    inject('phantom', { solana: phantom })
    inject('solflare', solflare)
    inject('solana', solflare)
    expect(facts(open().keybay)).toEqual({ phantom: 'ready', solflare: 'ready' })
  })
  it('one that is only there is known by its mark', () => {
    inject('solana', provider())
    expect(facts(open().keybay)).toEqual({ phantom: 'ready' })
  })
  it('one that wears two marks is nobody’s: it may be either', () => {
    inject('solana', { ...provider(), isSolflare: true })
    expect(facts(open().keybay)).toEqual({})
  })
  it('one that throws when it is read is left out', () => {
    inject(
      'phantom',
      new Proxy(
        {},
        {
          get() {
            throw new Error('hostile')
          },
        },
      ),
    )
    inject('solflare', provider())
    expect(facts(open().keybay)).toEqual({ solflare: 'ready' })
  })
})

describe('one that appears both ways', () => {
  it('is listed once, by Wallet Standard; when that leaves, by what it injects', async () => {
    const { channel, solana } = createExtension()
    inject('phantom', { solana })
    const { keybay, clock } = open()
    expect(facts(keybay)).toEqual({ phantom: 'ready' })
    const leave = announce(createStandardWallet(channel, 'Phantom'))
    await vi.waitFor(() => expect(facts(keybay)).toEqual({ 'wallet-standard:phantom': 'ready' }))
    await clock.advance(20_000)
    const phantoms = keybay.connectors.list().filter(({ name }) => name === 'Phantom')
    expect(phantoms.map(({ id }) => id)).toEqual(['wallet-standard:phantom'])
    leave()
    await vi.waitFor(() => expect(facts(keybay)).toMatchObject({ phantom: 'ready' }))
  })
  it('a wallet for EVM is told apart from one of the same name for Solana, which may come later', async () => {
    const { keybay } = open()
    const extension = createExtension()
    extension.announceEvm()
    const name = () => keybay.connectors.get('browser-extension:dev.keybay.sandbox')?.name
    await vi.waitFor(() => expect(name()).toBe('Sandbox EVM'))
    const leave = announce(createStandardWallet(extension.channel, 'Sandbox EVM'))
    await vi.waitFor(() => expect(name()).toBe('Sandbox EVM (EVM)'))
    leave()
    await vi.waitFor(() => expect(name()).toBe('Sandbox EVM'))
  })
  it('one that announced itself first is never listed twice', () => {
    const { channel, solana } = createExtension()
    inject('phantom', { solana })
    addEventListener('wallet-standard:app-ready', () => announce(createStandardWallet(channel, 'Phantom')), {
      once: true,
    })
    expect(facts(open().keybay)).toEqual({ 'wallet-standard:phantom': 'ready' })
  })
})

describe('EIP-6963', () => {
  it('lists what announces itself, once, unless the host says no', async () => {
    const extension = createExtension()
    extension.announceEvm()
    const { keybay } = open()
    extension.announceEvm()
    await vi.waitFor(() => expect(keybay.connectors.list()).toHaveLength(1))
    expect(keybay.connectors.list()).toMatchObject([
      { id: 'browser-extension:dev.keybay.sandbox', name: 'Sandbox EVM', connectionType: 'browserExtension' },
    ])
    expect(facts(open({ evm: false, installLinks: false }).keybay)).toEqual({})
  })
  it('leaves out what is no wallet, and makes names and icons safe', async () => {
    const { keybay } = open()
    const request = async () => null
    const announced = (info: unknown, provider: unknown = { request }) =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
    for (const rdns of ['', 'x', 'a b.c', undefined, 7]) announced({ rdns, name: 'Bad' })
    announced({ rdns: 'no.provider', name: 'Bad' }, {})
    announced({ rdns: 'no.name', name: ' \u202e ' })
    announced(undefined)
    dispatchEvent(new CustomEvent('eip6963:announceProvider'))
    announced({
      rdns: 'good.one',
      name: 'Go\u202eod\n',
      icon: 'data:image/svg+xml,<svg onload="alert(1)">"',
    })
    await vi.waitFor(() => expect(keybay.connectors.list()).toHaveLength(1))
    const [good, ...more] = keybay.connectors.list()
    expect(more).toEqual([])
    expect(good).toMatchObject({ name: 'Go od', icon: expect.stringMatching(/^data:image\/svg\+xml;base64,[\w+/=]+$/) })
  })
})
