// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { createKeybay, definePlugin, KeybayError, userRejected } from '../src/index.js'
import {
  account,
  exchange,
  fakeWallet,
  loginConnector,
  openHosts,
  settle,
  testClock,
  walletConnector,
} from './helpers.js'

const open = openHosts()

describe('connecting a wallet', () => {
  it('opens, lists and closes a connection', async () => {
    const fake = fakeWallet('w')
    const { keybay } = open([walletConnector(fake)])
    const seen: string[] = []
    keybay.onAny(event => seen.push(event))
    const connection = await keybay.connect('w')
    expect(connection).toMatchObject({ connectorId: 'w', accounts: [{ address: 'w1' }] })
    expect(keybay.connections.list()).toEqual([connection])
    expect(keybay.attempts.get('w')).toMatchObject({ status: 'succeeded', result: connection })
    await keybay.disconnect('w')
    expect(fake.disconnects).toBe(1)
    expect(fake.listeners.size).toBe(0)
    expect(keybay.connections.list()).toEqual([])
    expect(seen).toEqual(['connection:opening', 'connection:opened', 'connection:closed'])
  })
  it('returns the wallet’s own account objects', async () => {
    const walletAccount = account('a')
    const { keybay } = open([walletConnector(fakeWallet('w', [walletAccount]))])
    await keybay.connect('w')
    expect(keybay.accounts.list()[0]?.walletAccount).toBe(walletAccount)
  })
  it('makes one connect attempt per connector: a second call joins the first', async () => {
    const fake = fakeWallet('w')
    const { keybay } = open([walletConnector(fake)])
    const [a, b] = await Promise.all([keybay.connect('w'), keybay.connect('w')])
    expect(a).toBe(b)
    expect(fake.calls).toEqual([{ silent: false }])
    expect(await keybay.connect('w')).toBe(a)
  })
  it('continues an attempt while one of two callers aborts, and cancels the attempt when both abort', async () => {
    const fake = fakeWallet('w')
    let answer = () => {}
    fake.answer = () =>
      new Promise(resolve => {
        answer = () => resolve({ accounts: [account('a')] })
      })
    const { keybay } = open([walletConnector(fake)])
    const [first, second] = [new AbortController(), new AbortController()]
    const firstCall = keybay.connect('w', undefined, { signal: first.signal })
    const secondCall = keybay.connect('w', undefined, { signal: second.signal })
    first.abort()
    await expect(firstCall).rejects.toMatchObject({ code: 'aborted' })
    expect(keybay.attempts.get('w')?.status).toBe('connecting')
    second.abort()
    await expect(secondCall).rejects.toMatchObject({ code: 'aborted' })
    await settle()
    answer() // too late to connect
    await settle()
    expect(keybay.connections.list()).toEqual([])
    expect(keybay.attempts.get('w')).toMatchObject({ status: 'failed', error: { code: 'aborted' } })
  })
  it.each([
    ['a string', 'no', 'internal'],
    ['undefined', undefined, 'internal'],
    [
      'a hostile object',
      {
        toString: () => {
          throw new Error('ha')
        },
      },
      'internal',
    ],
  ])('maps an error that a wallet throws to an error code: %s', async (_name, thrown, code) => {
    const fake = fakeWallet('w')
    fake.answer = () => Promise.reject(thrown)
    const { keybay } = open([walletConnector(fake)])
    await expect(keybay.connect('w')).rejects.toMatchObject({ name: 'KeybayError', code, connectorId: 'w' })
  })
  it('logs a failed connect as an error, but not a refusal', async () => {
    const levels: string[] = []
    const fake = fakeWallet('w')
    const { keybay } = open([walletConnector(fake)], { logLevel: 'silent' })
    keybay.on('log', ({ level }) => levels.push(level))
    fake.answer = () => Promise.reject(new Error('User rejected the request.'))
    await keybay.connect('w').catch(() => {})
    expect(levels).toEqual([])
    fake.answer = () => Promise.reject(new Error('broken'))
    await keybay.connect('w').catch(() => {})
    expect(levels).toEqual(['error'])
  })
  it('refuses an unknown connector, a wallet that is not installed, and a wallet without valid accounts', async () => {
    const bad = Object.defineProperty({ ...account('x') }, 'address', {
      get: () => {
        throw new Error('ha')
      },
    })
    const { keybay } = open([
      walletConnector(fakeWallet('absent'), { readiness: 'not-installed', installUrl: 'https://example.org' }),
      walletConnector(fakeWallet('none', [])),
      walletConnector(fakeWallet('bad', [bad, account('a b<script>')])),
    ])
    await expect(keybay.connect('unknown')).rejects.toMatchObject({ code: 'connector_unknown' })
    await expect(keybay.connect('absent')).rejects.toMatchObject({
      code: 'connector_not_ready',
      message: expect.stringContaining('https://example.org'),
    })
    await expect(keybay.connect('none')).rejects.toMatchObject({ code: 'account_not_found' })
    await expect(keybay.connect('bad')).rejects.toMatchObject({ code: 'account_not_found' })
  })
  it('runs a connector’s gesture inside the click, before anything is awaited', () => {
    let inClick = false
    let ran: boolean | undefined
    const { keybay } = open([
      walletConnector(fakeWallet('w'), {
        gesture: () => {
          ran = inClick
        },
      }),
    ])
    inClick = true
    void keybay.connect('w')
    inClick = false
    expect(ran).toBe(true)
  })
  it('rejects connect after dispose, and ignores late responses of the wallet', async () => {
    const fake = fakeWallet('w')
    let answer = () => {}
    fake.answer = () =>
      new Promise(resolve => {
        answer = () => resolve({ accounts: [account('a')] })
      })
    const clock = testClock()
    const { keybay } = open([walletConnector(fake)], { clock })
    const pending = keybay.connect('w')
    keybay.dispose()
    await expect(pending).rejects.toMatchObject({ code: 'disposed' })
    answer()
    await settle()
    expect(keybay.connections.list()).toEqual([])
    expect(clock.pending()).toBe(0)
    await expect(keybay.connect('w')).rejects.toMatchObject({ code: 'disposed' })
  })
})

describe('changes that the wallet reports', () => {
  it('follows account changes of a wallet, and ignores structurally equal ones', async () => {
    const fake = fakeWallet('w')
    const { keybay } = open([walletConnector(fake)])
    await keybay.connect('w')
    const before = keybay.connections.list()
    fake.emit([account('w1')])
    expect(keybay.connections.list()).toBe(before)
    const changed = vi.fn()
    keybay.on('connection:changed', changed)
    fake.emit([account('w2')])
    expect(changed).toHaveBeenCalledOnce()
    expect(keybay.accounts.active()?.address).toBe('w2')
  })
  it('closes a connection when the wallet locks, and reopens it without the user when the wallet unlocks', async () => {
    const fake = fakeWallet('w')
    const { keybay } = open([walletConnector(fake)])
    await keybay.connect('w')
    const closed = vi.fn()
    keybay.on('connection:closed', closed)
    fake.emit([])
    expect(closed).toHaveBeenCalledWith({ connectorId: 'w', by: 'wallet' })
    fake.emit([account('w1')])
    expect(keybay.connections.get('w')).toBeDefined()
  })
  it('ignores account changes of wallets that are not connected', async () => {
    const fake = fakeWallet('w')
    const { keybay } = open([walletConnector(fake)])
    keybay.connectors.list()
    fake.emit([account('w1')])
    expect(keybay.connections.list()).toEqual([])
    await keybay.connect('w')
    await keybay.disconnect('w')
    fake.emit([account('w1')])
    expect(keybay.connections.list()).toEqual([])
  })
})

describe('over a reload', () => {
  it('reconnects silently in the order in which the user connected, even when wallets come late', async () => {
    const first = open([walletConnector(fakeWallet('a')), walletConnector(fakeWallet('b'))])
    await first.keybay.connect('b')
    await first.keybay.connect('a')
    first.keybay.dispose()

    const [a, b] = [fakeWallet('a'), fakeWallet('b')]
    const { keybay, kernel } = open([walletConnector(a)])
    const resumed: unknown[] = []
    keybay.on('connection:opened', event => resumed.push(event.resumed))
    keybay.connectors.list()
    await settle()
    expect(keybay.connections.list().map(c => c.connectorId)).toEqual(['a'])
    kernel.connectors.add(walletConnector(b))
    await settle()
    expect(keybay.connections.list().map(c => c.connectorId)).toEqual(['b', 'a'])
    expect([...a.calls, ...b.calls]).toEqual([{ silent: true }, { silent: true }])
    expect(resumed).toEqual([true, true])
  })
  it('does not repeat a silent connect that a wallet refused when other wallets register', async () => {
    const first = open([walletConnector(fakeWallet('a'))])
    await first.keybay.connect('a')
    first.keybay.dispose()
    const a = fakeWallet('a')
    a.answer = () => Promise.reject(new Error('locked'))
    const { keybay, kernel } = open([walletConnector(a)])
    keybay.connectors.list()
    await settle()
    for (let i = 0; i < 5; i++) {
      kernel.connectors.add(walletConnector(fakeWallet(`x${i}`)))
      await settle()
    }
    expect(a.calls).toEqual([{ silent: true }])
    expect(keybay.attempts.get('a')).toBeUndefined()
  })
  it('connects a wallet on a click while a silent attempt hangs', async () => {
    const first = open([walletConnector(fakeWallet('a'))])
    await first.keybay.connect('a')
    first.keybay.dispose()
    const a = fakeWallet('a')
    const good = a.answer
    a.answer = silent => (silent ? new Promise(() => {}) : good(false))
    const { keybay } = open([walletConnector(a)])
    keybay.connectors.list()
    await settle()
    await expect(keybay.connect('a')).resolves.toMatchObject({ connectorId: 'a' })
    expect(a.calls).toEqual([{ silent: true }, { silent: false }])
  })
})

describe('two tabs', () => {
  it('two tabs connect and disconnect a wallet together', async () => {
    const [firstWallet, secondWallet] = [fakeWallet('w'), fakeWallet('w')]
    const first = open([walletConnector(firstWallet)])
    const second = open([walletConnector(secondWallet)])
    second.keybay.connectors.list()
    await settle()
    const opening = new Promise(resolve => second.keybay.on('connection:opened', resolve))
    await first.keybay.connect('w')
    await opening
    expect(secondWallet.calls).toEqual([{ silent: true }])
    const closing = new Promise(resolve => second.keybay.on('connection:closed', resolve))
    await first.keybay.disconnect('w')
    expect(await closing).toEqual({ connectorId: 'w', by: 'tab' })
  })
})

describe('accounts', () => {
  it('keys accounts by connector and address, merges their chains, and keeps one active per namespace', async () => {
    const twice = [account('same', { chains: ['solana:mainnet'] }), account('same', { chains: ['solana:devnet'] })]
    const { keybay } = open([
      walletConnector(fakeWallet('a', [...twice, account('other')])),
      walletConnector(fakeWallet('b')),
    ])
    await keybay.connect('a')
    await keybay.connect('b')
    expect(keybay.accounts.list().map(a => [a.key, a.chains])).toEqual([
      ['a|same', ['solana:mainnet', 'solana:devnet']],
      ['a|other', ['solana:devnet']],
      ['b|b1', ['solana:devnet']],
    ])
    expect(keybay.accounts.active()?.key).toBe('a|same')
    expect(keybay.accounts.active('eip155')).toBeUndefined()
    expect(keybay.accounts.setActive('b|b1')).toBe(true)
    expect(keybay.accounts.setActive('b|unknown')).toBe(false)
    expect(keybay.accounts.active()?.key).toBe('b|b1')
  })
  it('keeps the active account over a reload', async () => {
    const wallets = () => [walletConnector(fakeWallet('a')), walletConnector(fakeWallet('b'))]
    const first = open(wallets())
    await first.keybay.connect('a')
    await first.keybay.connect('b')
    first.keybay.accounts.setActive('b|b1')
    first.keybay.dispose()
    const { keybay } = open(wallets())
    keybay.connectors.list()
    await settle()
    expect(keybay.accounts.active()?.key).toBe('b|b1')
  })
})

describe('logins', () => {
  it('[S8.3] Failed to create or restore session: without an exchange; with one a login becomes a session, never a connection', async () => {
    const { keybay, kernel } = open([loginConnector('email')])
    await expect(keybay.connect('email')).rejects.toMatchObject({
      code: 'session_missing',
      message: expect.stringMatching(/^Failed to create or restore session\b/),
    })
    kernel.session.register({ exchange })
    await expect(keybay.connect('email')).resolves.toEqual({ status: 'authenticated', userId: 'email' })
    expect(keybay.connections.list()).toEqual([])
  })
})

describe('connect-and-sign', () => {
  it('connect-and-sign connects a wallet only after its ownership is proved', async () => {
    const a = fakeWallet('a')
    const { keybay, kernel } = open([walletConnector(a)], { authMode: 'connect-and-sign' })
    const seen: string[] = []
    expect(kernel.session.provesWallets).toBe(false)
    kernel.session.register({
      async prove({ id }, { silent }) {
        seen.push(`${id} ${silent} ${keybay.connections.list().length}`)
        if (seen.length === 1) throw new KeybayError(userRejected)
      },
    })
    expect(kernel.session.provesWallets).toBe(true)
    await expect(keybay.connect('a')).rejects.toMatchObject({ code: 'user_rejected' })
    expect(keybay.connections.list()).toEqual([])
    await keybay.connect('a')
    expect(seen).toEqual(['a false 0', 'a false 0'])
    expect(keybay.connections.get('a')).toBeDefined()
  })
  it('connect-only proves a wallet only for a plugin that requires a proof, and never silently', async () => {
    const prove = vi.fn(async () => {})
    const first = open([walletConnector(fakeWallet('a')), walletConnector(fakeWallet('b'))])
    first.kernel.session.register({ prove })
    expect(first.kernel.session.provesWallets).toBe(false)
    await first.keybay.connect('a')
    expect(prove).not.toHaveBeenCalled()
    await first.kernel.connections.connect('b', undefined, undefined, true)
    expect(prove).toHaveBeenCalledOnce()
    first.keybay.dispose()
    const after = open([walletConnector(fakeWallet('a'))], { authMode: 'connect-and-sign' })
    after.kernel.session.register({ prove })
    after.keybay.connectors.list()
    await settle()
    expect(after.keybay.connections.get('a')).toBeDefined()
    expect(prove).toHaveBeenCalledOnce()
  })
})

describe('many connectors, kernels and listeners', () => {
  it('lists 10,000 connectors in one batch, and calls subscribers once', async () => {
    const { keybay, kernel } = open()
    const listener = vi.fn()
    keybay.connectors.subscribe(listener)
    for (let i = 0; i < 10_000; i++) kernel.connectors.add(walletConnector(fakeWallet(`w${i}`)))
    await settle()
    expect(listener).toHaveBeenCalledOnce()
    expect(keybay.connectors.list()).toHaveLength(10_000)
    expect(keybay.connectors.list()).toBe(keybay.connectors.list())
  })
  it('lists a connector id once, and a wallet object once', () => {
    const { keybay, kernel } = open()
    const fake = fakeWallet('w')
    kernel.connectors.add(walletConnector(fake))
    const removeTwin = kernel.connectors.add(walletConnector(fake, { id: 'twin' }))
    kernel.connectors.add(walletConnector(fakeWallet('w')))
    removeTwin()
    expect(keybay.connectors.list().map(c => c.id)).toEqual(['w'])
  })
  it('keeps the connections of two kernels in one page apart', async () => {
    const first = open([walletConnector(fakeWallet('w'))], { environmentId: 'first' })
    const second = open([walletConnector(fakeWallet('w'))], { environmentId: 'second' })
    await first.keybay.connect('w')
    await settle()
    expect(second.keybay.connections.list()).toEqual([])
  })
  it('survives connection listeners that throw', async () => {
    const { keybay } = open([walletConnector(fakeWallet('w'))])
    const good = vi.fn()
    const bad = () => {
      throw new Error('listener')
    }
    keybay.on('connection:opened', bad)
    keybay.on('connection:opened', good)
    keybay.on('log', bad)
    keybay.connections.subscribe(bad)
    keybay.connections.subscribe(good)
    await keybay.connect('w')
    await settle()
    expect(good).toHaveBeenCalledTimes(2)
  })
})

describe('the start', () => {
  it('starts the kernel once, at the first list, subscription or connect', () => {
    const started = vi.fn()
    const ended = vi.fn()
    const make = () =>
      createKeybay({
        appName: 'x',
        logLevel: 'silent',
        plugins: [
          definePlugin({
            id: 'p',
            version: '0.1.0',
            setup(kernel) {
              kernel.onStart(() => {
                started()
                return ended
              })
              return {}
            },
          }),
        ],
      })
    make() // StrictMode throws one away
    const keybay = make()
    expect(started).not.toHaveBeenCalled()
    expect(Object.keys(localStorage)).toEqual([])
    keybay.connectors.subscribe(() => {})()
    keybay.connectors.list()
    expect(started).toHaveBeenCalledOnce()
    keybay.dispose()
    keybay.dispose()
    expect(ended).toHaveBeenCalledOnce()
  })
})
