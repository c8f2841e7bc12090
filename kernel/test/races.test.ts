// @vitest-environment happy-dom
/** Events at the same time, or one microtask too early or too late. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConnectContext, Token } from '../src/index.js'
import { account, fakeWallet, openHosts, settle, testClock, walletConnector } from './helpers.js'

const SIGNED_IN = { status: 'authenticated', userId: 'u' } as const
const open = openHosts()
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the session', () => {
  it('keeps a sign-in that happens while the stored session is being read', async () => {
    const { keybay, kernel } = open()
    keybay.connectors.list() // begins to read
    const token = { value: 't', expiresAt: Date.now() + 90_000 }
    await kernel.session.set(SIGNED_IN, token)
    await settle()
    expect(keybay.session.current).toEqual(SIGNED_IN)
    expect(await keybay.session.bearer()).toBe('t')
  })
  it('keeps a sign-out that happens while the stored session is being read', async () => {
    const before = open()
    await before.kernel.session.set(SIGNED_IN, { value: 't', expiresAt: Date.now() + 90_000 })
    const { keybay, kernel } = open()
    keybay.connectors.list()
    await kernel.session.clear()
    await settle()
    expect(keybay.session.current.status).toBe('anonymous')
    expect(await keybay.session.bearer()).toBeUndefined()
  })
  it('renews the session where the browser refuses storage and locks, as in a sandboxed frame', async () => {
    const refuse = () => {
      throw new DOMException('refused', 'SecurityError')
    }
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(refuse)
    vi.stubGlobal('navigator', { locks: { request: async () => refuse() } })
    const clock = testClock(0)
    const { keybay, kernel } = open([], { clock })
    keybay.connectors.list()
    await kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: 40_000, refresh: 'r1' })
    expect(await keybay.session.bearer()).toBe('old')
    kernel.session.register({ renew: async () => ({ value: 'new', expiresAt: 100_000, refresh: 'r2' }) })
    await clock.advance(20_000)
    expect(await keybay.session.bearer()).toBe('new')
  })
  it('does not restore a session that is signed out while its renewal is stored', async () => {
    const clock = testClock(0)
    const { keybay, kernel } = open([], { clock })
    await kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: 10_000, refresh: 'r1' })
    let out: Promise<void> | undefined
    const get = kernel.storage.get
    kernel.session.register({
      renew: async (): Promise<Token> => {
        // The next read is the check whether the session is still the same: sign out while it is being read.
        vi.spyOn(kernel.storage, 'get').mockImplementationOnce(async key => {
          const saved = await get(key)
          out = kernel.session.clear()
          return saved
        })
        return { value: 'new', expiresAt: 90_000, refresh: 'r2' }
      },
    })
    expect(await keybay.session.bearer()).toBeUndefined()
    await out
    expect(keybay.session.current.status).toBe('anonymous')
    expect(await keybay.session.bearer()).toBeUndefined()
  })
  it('returns the next user’s token only after the session shows the next user', async () => {
    const { keybay, kernel } = open()
    const expiresAt = Date.now() + 90_000
    await kernel.session.set(SIGNED_IN, { value: 'before', expiresAt })
    let goOn = () => {}
    const slow = new Promise<void>(resolve => {
      goOn = resolve
    })
    const { set } = kernel.storage
    vi.spyOn(kernel.storage, 'set').mockImplementationOnce((key, value) => slow.then(() => set(key, value)))
    const signingIn = kernel.session.set({ status: 'authenticated', userId: 'next' }, { value: 'next', expiresAt })
    const seen = keybay.session.bearer().then(token => [token, keybay.session.current.userId])
    await settle()
    expect(await seen).toEqual(['before', 'u'])
    goOn()
    await signingIn
    expect([await keybay.session.bearer(), keybay.session.current.userId]).toEqual(['next', 'next'])
  })
  it('survives a stored session whose token is null', async () => {
    localStorage.setItem('keybay:local:session', '{"state":{"status":"authenticated"},"token":null}')
    expect(await open().keybay.session.bearer()).toBeUndefined()
  })
})

describe('an attempt', () => {
  it('does not call the wallet when the attempt’s signal is already aborted', async () => {
    const fake = fakeWallet('w')
    const gesture = vi.fn()
    const { keybay } = open([walletConnector(fake, { gesture })])
    await expect(keybay.connect('w', undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect([gesture.mock.calls, fake.calls]).toEqual([[], []])
  })
  it('a gesture that throws rejects the attempt and nothing else, and the next attempt works', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const gesture = vi.fn().mockImplementationOnce(() => {
      throw new Error('The popup was blocked')
    })
    const { keybay } = open([walletConnector(fakeWallet('w'), { gesture })])
    try {
      await expect(keybay.connect('w')).rejects.toMatchObject({ name: 'KeybayError', connectorId: 'w' })
      await settle() // Node reports an unhandled rejection after all promises have run.
    } finally {
      process.off('unhandledRejection', unhandled)
    }
    expect(unhandled).not.toHaveBeenCalled()
    expect(keybay.attempts.get('w')?.status).toBe('failed')
    await expect(keybay.connect('w')).resolves.toMatchObject({ connectorId: 'w' })
  })
  it('opens no popup when a listener cancels the attempt as it begins', async () => {
    const fake = fakeWallet('w')
    fake.answer = () => new Promise(() => {})
    const gesture = vi.fn()
    const { keybay } = open([walletConnector(fake, { gesture })])
    keybay.on('connection:opening', () => keybay.attempts.reset('w'))
    await expect(keybay.connect('w')).rejects.toMatchObject({ code: 'aborted' })
    expect(gesture).not.toHaveBeenCalled()
  })
  it('a listener that connects as the attempt begins joins the attempt', async () => {
    const { keybay } = open([walletConnector(fakeWallet('w'))])
    let joined: Promise<unknown> | undefined
    keybay.on('connection:opening', () => {
      joined = keybay.connect('w')
    })
    expect(await keybay.connect('w')).toBe(await joined)
    expect(joined).toBeDefined()
  })
  it('does not leave the page when the attempt is cancelled in the same click', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
    const { keybay } = open([
      walletConnector(fakeWallet('deep'), {
        connect: ctx => Promise.resolve().then(() => ctx.redirect('https://w.example')),
      }),
    ])
    const gone = expect(keybay.connect('deep')).rejects.toMatchObject({ code: 'aborted' })
    await Promise.resolve() // the connector calls redirect
    keybay.attempts.reset('deep')
    const left = assign.mock.calls.length
    await gone
    await settle()
    expect(assign).toHaveBeenCalledTimes(left)
  })
  it('ignores the response to an attempt that was cancelled while leaving the page', async () => {
    vi.spyOn(location, 'assign').mockImplementation(() => {})
    const deep = () =>
      walletConnector(fakeWallet('deep'), {
        claims: url => url.searchParams.has('answer'),
        connect: ctx => ctx.redirect('https://w.example'),
        resume: async () => [account('forged')],
      })
    const { keybay } = open([deep()])
    const gone = expect(keybay.connect('deep')).rejects.toMatchObject({ code: 'aborted' })
    await settle()
    keybay.attempts.reset('deep')
    await gone
    history.replaceState(null, '', '/?answer=forged')
    const after = open([deep()])
    after.keybay.connectors.list()
    await settle()
    history.replaceState(null, '', '/')
    expect(after.keybay.attempts.get('deep')?.error?.code).toBe('redirect_unexpected')
    expect(after.keybay.connections.list()).toEqual([])
  })
  it('fails an attempt when another wallet takes its connector’s id', async () => {
    const real = fakeWallet('w')
    let answer = () => {}
    real.answer = () =>
      new Promise(resolve => {
        answer = () => resolve({ accounts: [account('a')] })
      })
    const { keybay, kernel } = open()
    const remove = kernel.connectors.add(walletConnector(real))
    const gone = expect(keybay.connect('w')).rejects.toMatchObject({ connectorId: 'w' })
    remove()
    kernel.connectors.add(walletConnector(fakeWallet('w')))
    await settle()
    answer()
    await gone
    expect(keybay.connections.list()).toEqual([])
  })
  it('an attempt has one time-out, however many prompts are open', async () => {
    const clock = testClock()
    const context: { now?: ConnectContext } = {}
    const { keybay } = open(
      [
        walletConnector(fakeWallet('w'), {
          connect: ctx => {
            context.now = ctx
            return new Promise(() => {})
          },
        }),
      ],
      { clock, connectTimeout: 5000 },
    )
    const late = expect(keybay.connect('w')).rejects.toMatchObject({ code: 'connect_timeout' })
    const ask = () => context.now?.prompt({ type: 'choice', title: '?', options: [] })
    const answer = (value: string) => {
      const [prompt] = keybay.prompts.list()
      if (prompt?.type === 'choice') prompt.answer(value)
    }
    const [first, second] = [ask(), ask()]
    answer('a')
    await first
    await clock.advance(4000)
    answer('b')
    await second
    await clock.advance(4000)
    expect(keybay.attempts.get('w')?.status).toBe('connecting')
    await clock.advance(1000)
    await late
    expect(clock.pending()).toBe(0)
  })
})

describe('connections', () => {
  it('applies a disconnect that comes before the stored connections are read', async () => {
    const first = open([walletConnector(fakeWallet('a')), walletConnector(fakeWallet('b'))])
    await first.keybay.connect('a')
    await first.keybay.connect('b')
    first.keybay.dispose()
    for (const load of [1, 2]) {
      const [a, b] = [fakeWallet('a'), fakeWallet('b')]
      const { keybay } = open([walletConnector(a), walletConnector(b)])
      if (load === 1) void keybay.disconnect('a')
      keybay.connectors.list()
      await settle()
      expect(keybay.connections.list().map(({ connectorId }) => connectorId)).toEqual(['b'])
      expect(a.calls).toEqual([])
      keybay.dispose()
    }
  })
  it('closes a connection when another wallet takes its id, and asks that wallet before it lists its accounts', async () => {
    const { keybay, kernel } = open()
    const remove = kernel.connectors.add(walletConnector(fakeWallet('w')))
    await keybay.connect('w')
    const impostor = fakeWallet('w', [account('impostor')])
    impostor.answer = () => Promise.reject(new Error('no'))
    remove()
    kernel.connectors.add(walletConnector(impostor))
    await settle()
    expect(keybay.connections.list()).toEqual([])
    expect(impostor.calls).toEqual([{ silent: true }])
  })
  it.each([Symbol('label'), { toString: null }, 7])('leaves out an account whose label is %o', async label => {
    const bad = Object.defineProperty({ ...account('bad') }, 'label', { value: label })
    const { keybay } = open([
      walletConnector(fakeWallet('w', [bad, account('good')])),
      walletConnector(fakeWallet('v')),
    ])
    await keybay.connect('w')
    keybay.accounts.list()
    await keybay.connect('v')
    expect(keybay.accounts.list().map(({ address }) => address)).toEqual(['good', 'v1'])
  })
})

describe('the registry', () => {
  it('ignores a connector’s preload that throws synchronously', () => {
    const { keybay } = open([
      walletConnector(fakeWallet('w'), {
        preload: () => {
          throw new Error('ha')
        },
      }),
    ])
    expect(() => keybay.connectors.preload('w')).not.toThrow()
  })
})
