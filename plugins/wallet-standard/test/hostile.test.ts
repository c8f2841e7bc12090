// @vitest-environment happy-dom
import { mockWallet, settle } from '@keybay/kernel/testing'
import { describe, expect, it, vi } from 'vitest'
import { find, ids, open, register, throwing, twist } from './page.js'

function good(name = 'Good') {
  return mockWallet({ name }).wallet
}

function named(name: unknown) {
  return twist(good(), { name: { value: name } })
}

function withIcon(icon: unknown) {
  return twist(good(), { icon: { value: icon } })
}
const allTraps = new Proxy({}, { get: () => () => throwing.get?.() })

describe('with a hostile wallet in the page', () => {
  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a number', 7],
    ['a string', 'Phantom'],
    ['an empty object', {}],
    ['no features', twist(good(), { features: { value: null } })],
    ['features of the wrong shape', twist(good(), { features: { value: { 'standard:events': 'on' } } })],
    ['chains that are not a list', twist(good(), { chains: { value: 'solana:devnet' } })],
    ['chains that are not text', twist(good(), { chains: { value: [null] } })],
    ['a name that is not text', named(7)],
    ['an empty name', named('')],
    ['a name of blanks and signs only', named(' \u200B\u202E---\n')],
    ['a name that throws', twist(good(), { name: throwing })],
    ['an icon that throws', twist(good(), { icon: throwing })],
    ['features that throw', twist(good(), { features: throwing })],
    ['chains that throw', twist(good(), { chains: throwing })],
    ['a proxy whose every trap throws', new Proxy({}, allTraps)],
    [
      'a proxy that throws a proxy whose every trap throws',
      new Proxy(
        {},
        {
          get() {
            throw new Proxy({}, allTraps)
          },
        },
      ),
    ],
    [
      'an `on` that throws',
      twist(good(), {
        features: { value: { ...good().features, 'standard:events': { version: '1.0.0', on: throwing.get } } },
      }),
    ],
  ])('leaves out %s and lists the wallets around it', (_what, hostile) => {
    register(good('Before'), hostile, good('After'))
    const early = open({ logLevel: 'debug' })
    vi.spyOn(console, 'debug').mockReturnValue()
    expect(ids(early)).toEqual(['wallet-standard:before', 'wallet-standard:after'])
    register(hostile, good('Late'))
    expect(ids(early)).toEqual(['wallet-standard:before', 'wallet-standard:after', 'wallet-standard:late'])
  })
  it.each([throwing.get, undefined, 'x'])(
    'lists other wallets after a registration with %s instead of a callback',
    detail => {
      const keybay = open()
      ids(keybay)
      try {
        window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
      } catch {
        // A browser reports it to `window.onerror`; happy-dom throws it to the dispatching script.
      }
      register(good())
      expect(ids(keybay)).toEqual(['wallet-standard:good'])
    },
  )
  it.each([
    ['control characters and line ends', 'Phan\u0000tom\n\r\tWallet', 'Phan tom Wallet', 'phan-tom-wallet'],
    ['bidi overrides', '\u202EPhantom\u2066', 'Phantom', 'phantom'],
    ['invisible characters', 'Pha\u200Bntom', 'Pha ntom', 'pha-ntom'],
    ['letters without width', 'Phantom\u3164\u115F', 'Phantom', 'phantom'],
    ['look-alike forms of letters', 'Ｐｈａｎｔｏｍ', 'Phantom', 'phantom'],
    ['script', '<script>alert(1)</script>', '<script>alert(1)</script>', 'script-alert-1-script'],
    ['separators of ids', 'A|B:C/../D', 'A|B:C/../D', 'a-b-c-d'],
    ['letters of other scripts', 'Кошелёк 財布', 'Кошелёк 財布', 'кошелёк-財布'],
    ['a picture', '🦊', '🦊', '🦊'],
  ])('cleans a wallet name with %s', (_what, name, shown, slug) => {
    register(named(name))
    expect(find(open(), `wallet-standard:${slug}`).name).toBe(shown)
  })
  it('cuts a wallet name to 64 characters without splitting a surrogate pair', () => {
    register(named('x'.repeat(10_000)), named(`${'y'.repeat(63)}🦊`))
    expect(
      open()
        .connectors.list()
        .map(({ name }) => name),
    ).toEqual(['x'.repeat(64), 'y'.repeat(63)])
  })
  it('cuts a wallet name whose letters expand to eighteen characters each', () => {
    register(named('\uFDFA'.repeat(64)))
    const [connector] = open().connectors.list()
    expect(connector?.name.length).toBeGreaterThan(0)
    expect(connector?.name.length).toBeLessThanOrEqual(64)
  })
  it('keeps the name read first when a wallet changes its name', () => {
    let name = 'Honest'
    const wallet = twist(good(), { name: { get: () => name } })
    register(wallet)
    const keybay = open()
    ids(keybay)
    name = 'Phantom'
    expect(find(keybay, 'wallet-standard:honest').name).toBe('Honest')
    expect(ids(keybay)).toEqual(['wallet-standard:honest'])
  })
  it.each([
    ['script', 'javascript:alert(1)'],
    ['a page', 'data:text/html;base64,PHNjcmlwdD4='],
    ['an address', 'https://tracker.example/pixel.png'],
    ['text that ends the attribute', 'data:image/png;base64,AAAA" onerror="alert(1)'],
    ['an SVG that is not base64', 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['10 MB', `data:image/png;base64,${'A'.repeat(10_000_000)}`],
    ['nothing', undefined],
    ['a list', ['data:image/png;base64,AAAA']],
  ])('shows an empty icon for a wallet icon of %s', (_what, icon) => {
    register(withIcon(icon))
    const { icon: shown } = find(open(), 'wallet-standard:good')
    expect(shown).toBe('data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=')
  })
  it('makes no snapshot for 10,000 change events without a change, and ignores events of an unregistered wallet', async () => {
    const mock = mockWallet({ name: 'Loud' })
    const deaf = twist(mock.wallet, {
      features: {
        value: {
          ...mock.wallet.features,
          'standard:events': {
            version: '1.0.0',
            on: (event: 'change', listener: () => void) => {
              mock.wallet.features['standard:events']?.on(event, listener)
              return 'not a function'
            },
          },
        },
      },
    })
    const leave = register(deaf)
    const keybay = open()
    const onChange = vi.fn()
    keybay.connectors.subscribe(onChange)
    expect(ids(keybay)).toEqual(['wallet-standard:loud'])
    await settle()
    onChange.mockClear()
    for (let i = 0; i < 10_000; i++) mock.emit({ chains: mock.wallet.chains })
    await settle()
    expect(onChange).not.toHaveBeenCalled()
    leave()
    mock.emit({ chains: mock.wallet.chains })
    expect(ids(keybay)).toEqual([])
    register(deaf)
    mock.emit({ chains: mock.wallet.chains })
    expect(ids(keybay)).toEqual(['wallet-standard:loud'])
  })
  it('removes a listed wallet that starts to throw, and reports an error when a wallet throws while connecting', async () => {
    const turning = mockWallet({ name: 'Turning' })
    const connected = mockWallet({ name: 'Connected' })
    register(turning.wallet, connected.wallet, good())
    const keybay = open()
    expect(ids(keybay)).toHaveLength(3)
    turning.fault = 'throws-in-getters'
    connected.fault = 'throws-in-getters'
    await expect(keybay.connect('wallet-standard:connected')).rejects.toMatchObject({ code: 'internal' })
    turning.emit({ chains: [] })
    expect(ids(keybay)).toEqual(['wallet-standard:connected', 'wallet-standard:good'])
    await expect(keybay.connect('wallet-standard:good')).resolves.toMatchObject({ connectorId: 'wallet-standard:good' })
  })
  it('disconnects a wallet and disposes the instance although unsubscribing throws', async () => {
    const mock = mockWallet({ name: 'Sticky' })
    const on = () => throwing.get
    const sticky = twist(mock.wallet, {
      features: { value: { ...mock.wallet.features, 'standard:events': { version: '1.0.0', on } } },
    })
    register(sticky)
    const keybay = open()
    await keybay.connect('wallet-standard:sticky')
    await keybay.disconnect('wallet-standard:sticky')
    expect(keybay.connections.list()).toEqual([])
    await keybay.connect('wallet-standard:sticky')
    keybay.dispose()
    expect(ids(keybay)).toEqual([])
    expect(keybay.connections.list()).toEqual([])
  })
})
