// @vitest-environment happy-dom
import { createKeybay, type Keybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { createStandardWallet } from '@keybay/sandbox-wallets/extension'
import { walletStandard } from '@keybay/wallet-standard'
import { afterEach, expect, it, vi } from 'vitest'
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

function readStates({ connectors }: Pick<Keybay, 'connectors'>) {
  return Object.fromEntries(
    connectors.list().map(({ id, readiness }) => [id.replace('browser-extension:', ''), readiness]),
  )
}

function createProvider() {
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

it.each(Object.entries(PLACES))('finds %s as an injected wallet at its own property', (key, [place, wrap]) => {
  inject(place, wrap(createProvider()))
  expect(readStates(open().keybay)).toEqual({ [key]: 'ready' })
})
it('finds and connects an injected wallet that the host added', async () => {
  const { solana, store } = createExtension()
  inject('acme', { solana })
  const acme = injected({ name: 'Acme', path: 'acme.solana', installUrl: 'https://acme.example' })
  const { keybay } = open({ wallets: [...injectedWallets(), acme], installLinks: false })
  expect(readStates(keybay)).toEqual({ acme: 'ready' })
  const { accounts } = await keybay.connect('browser-extension:acme')
  expect(accounts[0]?.address).toBe(solana.publicKey?.toBase58())
  expect((await store.read()).trusted).toEqual([location.origin])
})
it('lists missing wallets with a link to install them', async () => {
  inject('solflare', createProvider())
  const { keybay } = open({})
  const others = ALL.filter(key => key !== 'solflare').map(key => [key, 'not-installed'] as const)
  expect(readStates(keybay)).toEqual({ solflare: 'ready', ...Object.fromEntries(others) })
  for (const { readiness, installUrl } of keybay.connectors.list())
    if (readiness === 'not-installed') expect(installUrl).toMatch(/^https:\/\//)
  await expect(keybay.connect('browser-extension:phantom')).rejects.toMatchObject({
    code: 'connector_not_ready',
    message: expect.stringContaining('https://phantom.com/download'),
  })
})
it('lists no missing wallets on a phone, or with installLinks: false', async () => {
  const quiet = open()
  await quiet.clock.advance(20_000)
  expect(readStates(quiet.keybay)).toEqual({})
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15; Pixel 9)')
  const phone = open({})
  await phone.clock.advance(20_000)
  expect(readStates(phone.keybay)).toEqual({})
})
it('lists a wallet that injects late in place of its install link', async () => {
  const [quiet, offering] = [open(), open({})]
  expect(readStates(offering.keybay)).toMatchObject({ phantom: 'not-installed' })
  await quiet.clock.advance(700)
  await offering.clock.advance(1500)
  inject('phantom', { solana: createProvider() })
  await quiet.clock.advance(800)
  await offering.clock.advance(1600)
  expect(readStates(quiet.keybay)).toEqual({ phantom: 'ready' })
  expect(readStates(offering.keybay)).toMatchObject({ phantom: 'ready', solflare: 'not-installed' })
})
it('stops looking for injected wallets after a time limit', async () => {
  const { clock } = open()
  await clock.advance(60_000)
  expect(clock.pending()).toBe(0)
})
it('window.solana does not hide wallets at their own properties', () => {
  const [phantom, solflare] = [createProvider(), { ...createProvider(), isSolflare: true }]
  inject('phantom', { solana: phantom })
  inject('solflare', solflare)
  inject('solana', solflare)
  expect(readStates(open().keybay)).toEqual({ phantom: 'ready', solflare: 'ready' })
})
it('identifies the wallet at window.solana by its flag', () => {
  inject('solana', createProvider())
  expect(readStates(open().keybay)).toEqual({ phantom: 'ready' })
})
it('ignores window.solana with the flags of two wallets', () => {
  inject('solana', { ...createProvider(), isSolflare: true })
  expect(readStates(open().keybay)).toEqual({})
})
it('finds a wallet although the property of another wallet throws when it is read', () => {
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
  inject('solflare', createProvider())
  expect(readStates(open().keybay)).toEqual({ solflare: 'ready' })
})
it('lists a wallet that injects and registers once, by Wallet Standard, and as injected after it unregisters', async () => {
  const { channel, solana } = createExtension()
  inject('phantom', { solana })
  const { keybay, clock } = open()
  expect(readStates(keybay)).toEqual({ phantom: 'ready' })
  const leave = announce(createStandardWallet(channel, 'Phantom'))
  await expect.poll(() => readStates(keybay)).toEqual({ 'wallet-standard:phantom': 'ready' })
  await clock.advance(20_000)
  const phantoms = keybay.connectors.list().filter(({ name }) => name === 'Phantom')
  expect(phantoms.map(({ id }) => id)).toEqual(['wallet-standard:phantom'])
  leave()
  await expect.poll(() => readStates(keybay)).toMatchObject({ phantom: 'ready' })
})
it('marks an EVM wallet that has the name of a Solana wallet', async () => {
  const { keybay } = open()
  const extension = createExtension()
  extension.announceEvm()
  const name = () => keybay.connectors.get('browser-extension:dev.keybay.sandbox')?.name
  await expect.poll(() => name()).toBe('Sandbox EVM')
  const leave = announce(createStandardWallet(extension.channel, 'Sandbox EVM'))
  await expect.poll(() => name()).toBe('Sandbox EVM (EVM)')
  leave()
  await expect.poll(() => name()).toBe('Sandbox EVM')
})
it('lists a wallet once that registered by Wallet Standard before the app opened', () => {
  const { channel, solana } = createExtension()
  inject('phantom', { solana })
  open() // the first app of the page listens for wallets as long as the page
  const leave = announce(createStandardWallet(channel, 'Phantom'))
  expect(readStates(open().keybay)).toEqual({ 'wallet-standard:phantom': 'ready' })
  leave()
})
it('lists an announced EIP-6963 wallet once, and none with evm: false', async () => {
  const extension = createExtension()
  extension.announceEvm()
  const { keybay } = open()
  extension.announceEvm()
  await expect.poll(() => keybay.connectors.list()).toHaveLength(1)
  expect(keybay.connectors.list()).toMatchObject([
    { id: 'browser-extension:dev.keybay.sandbox', name: 'Sandbox EVM', connectionType: 'browserExtension' },
  ])
  expect(readStates(open({ evm: false, installLinks: false }).keybay)).toEqual({})
})
it('lists two EIP-6963 wallets that claim one rdns, and marks both, but a repeated announcement only once', async () => {
  const { keybay } = open()
  const send = (provider: object, uuid: string) => {
    const info = { rdns: 'app.phantom', name: 'Phantom', uuid }
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  }
  const [impostor, genuine] = [1, 2].map(() => ({ request: async () => null }))
  if (!impostor || !genuine) throw new Error('No provider')
  send(impostor, 'one')
  await expect.poll(() => keybay.connectors.get('browser-extension:app.phantom')).toBeDefined()
  send({ ...impostor }, 'one')
  send(impostor, 'another')
  send(genuine, 'two')
  await expect
    .poll(() => keybay.connectors.list().map(({ id, name }) => [id.split('~')[0], name]))
    .toEqual(['1', '2'].map(mark => ['browser-extension:app.phantom', `Phantom (${mark})`]))
  expect(keybay.connectors.get('browser-extension:app.phantom')).toBeUndefined()
})
it('lists no injected wallet beside two that claim its name by Wallet Standard', () => {
  inject('phantom', { solana: createProvider() })
  open() // the first app of the page listens for wallets as long as the page
  const leaves = [1, 2].map(() => announce(createStandardWallet(createExtension().channel, 'Phantom')))
  const { keybay } = open()
  expect(keybay.connectors.list().map(({ name }) => name)).toEqual(['Phantom (1)', 'Phantom (2)'])
  for (const leave of leaves) leave()
})
it('leaves out invalid EIP-6963 announcements, and sanitises names and icons', async () => {
  const { keybay } = open()
  const request = async () => null
  const announced = (info: unknown, provider: unknown = { request }) =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  for (const rdns of ['', 'x', 'a b.c', undefined, 7]) announced({ rdns, name: 'Bad' })
  announced({ rdns: 'no.provider', name: 'Bad' }, {})
  announced({ rdns: 'no.name', name: ' \u202e ' })
  announced(undefined)
  dispatchEvent(new CustomEvent('eip6963:announceProvider'))
  announced({ rdns: 'good.one', name: 'Go\u202eod\n', icon: 'data:image/svg+xml,<svg onload="alert(1)">"' })
  await expect.poll(() => keybay.connectors.list()).toHaveLength(1)
  const [good, ...more] = keybay.connectors.list()
  expect(more).toEqual([])
  expect(good).toMatchObject({ name: 'Go od', icon: expect.stringMatching(/^data:image\/svg\+xml;base64,[\w+/=]+$/) })
})
it.each([
  ['ends a url()', 'data:image/png;base64,AAAA);background:url(https://evil.example/x'],
  ['has line breaks', 'data:image/png;base64,AA\nAA\r\n'],
  ['has control characters', 'data:image/png;base64,AA\u0000AA'],
  ['reverses its text', 'data:image/svg+xml,AA\u202eAA'],
  ['is on a server', 'https://evil.example/pixel.png'],
  ['is a page', 'data:text/html;base64,PGI+'],
  ['is a script', 'javascript:alert(1)'],
  ['is too long', `data:image/png;base64,${'A'.repeat(200_001)}`],
  ['is a list', ['data:image/png;base64,AAAA']],
])('an announced EIP-6963 icon that %s reaches no page as it is', async (_what, icon) => {
  const { keybay } = open()
  const detail = { info: { rdns: 'evil.icon', name: 'Evil', icon }, provider: { request: async () => null } }
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  await expect.poll(() => keybay.connectors.list()).toHaveLength(1)
  const shown = keybay.connectors.list()[0]?.icon ?? ''
  expect(shown).toMatch(/^data:image\/[\w.+-]+[;,][^\s"'<>\\()\p{C}]+$/u)
  expect(shown.length).toBeLessThan(200_100)
})
it.each([
  ['invisible letters', 'Meta\u3164Mask\u115f'],
  ['look-alike letter forms', '\uff2deta\uff2dask'],
  ['control and reversing characters', '\u0007Meta\u202e\u2066Mask'],
  ['many lines', 'Meta\n\n\n\u2028Mask'],
  ['endless text', 'M'.repeat(100_000)],
  ['letters that grow', '\ufdfa'.repeat(64)],
])('an announced EIP-6963 name with %s is one short line of plain letters', async (_what, name) => {
  const { keybay } = open()
  const detail = { info: { rdns: 'evil.name', name }, provider: { request: async () => null } }
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  await expect.poll(() => keybay.connectors.list()).toHaveLength(1)
  const shown = keybay.connectors.list()[0]?.name ?? ''
  expect(shown).toBe(shown.normalize('NFKC').trim())
  expect(shown).not.toMatch(/[\p{C}\p{DI}\n\u2028]/u)
  expect(shown.length).toBeLessThanOrEqual(64)
})
