// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Token } from '../src/index.js'
import { type Host, host, settle, testClock } from './helpers.js'

const SIGNED_IN = { status: 'authenticated', userId: 'u' } as const

function started({ keybay }: Host) {
  keybay.connectors.list()
  return settle()
}
beforeEach(() => localStorage.clear())

describe('the session', () => {
  it('[S7.2] returns the bearer token only until 30 s before it expires, because clocks differ', async () => {
    const clock = testClock(0)
    const it = host([], { clock })
    await started(it)
    expect(await it.keybay.session.bearer()).toBeUndefined()
    await it.kernel.session.set(SIGNED_IN, { value: 't', expiresAt: 60_000 })
    expect(await it.keybay.session.bearer()).toBe('t')
    await clock.advance(30_000)
    expect(await it.keybay.session.bearer()).toBeUndefined()
    expect(it.keybay.session.current).toEqual({ ...SIGNED_IN, status: 'expired' })
  })
  it('keeps the session over a reload, and reads storage before it returns a token', async () => {
    const clock = testClock(0)
    const before = host([], { clock })
    await started(before)
    await before.kernel.session.set(SIGNED_IN, { value: 't', expiresAt: 60_000 })
    const after = host([], { clock })
    after.keybay.connectors.list()
    expect(await after.keybay.session.bearer()).toBe('t')
    expect(after.keybay.session.current).toEqual(SIGNED_IN)
  })
  it('renews the session once for ten callers', async () => {
    const clock = testClock(0)
    const it = host([], { clock })
    await started(it)
    await it.kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: 40_000, refresh: 'r1' })
    const renew = vi.fn(async (_old: Token) => ({ value: 'new', expiresAt: 100_000, refresh: 'r2' }))
    it.kernel.session.register({ renew })
    await clock.advance(20_000)
    const answers = await Promise.all(Array.from({ length: 10 }, () => it.keybay.session.bearer()))
    expect(new Set(answers)).toEqual(new Set(['new']))
    expect(renew).toHaveBeenCalledOnce()
    expect(renew.mock.calls[0]?.[0]).toMatchObject({ refresh: 'r1' })
  })
  it('keeps the session when renewal fails offline, and expires it when the server refuses', async () => {
    const clock = testClock(0)
    const it = host([], { clock })
    await started(it)
    await it.kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: 10_000, refresh: 'r1' })
    it.kernel.session.register({ renew: () => Promise.reject(new Error('offline')) })
    await expect(it.keybay.session.bearer()).rejects.toThrow('offline')
    expect(it.keybay.session.current.status).toBe('authenticated')
    it.kernel.session.register({ renew: async () => undefined })
    expect(await it.keybay.session.bearer()).toBeUndefined()
    expect(it.keybay.session.current.status).toBe('expired')
  })
  it('does not restore a session that was signed out during its renewal', async () => {
    const clock = testClock(0)
    const it = host([], { clock })
    await started(it)
    await it.kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: 10_000, refresh: 'r1' })
    let answer: (token: Token) => void = () => {}
    it.kernel.session.register({
      renew: () =>
        new Promise(resolve => {
          answer = resolve
        }),
    })
    const bearer = it.keybay.session.bearer()
    await settle()
    await it.kernel.session.clear()
    answer({ value: 'new', expiresAt: 90_000, refresh: 'r2' })
    expect(await bearer).toBeUndefined()
    expect(it.keybay.session.current.status).toBe('anonymous')
  })
  it.each([
    ['the same user', 'u', 'theirs'],
    ['another user', 'other', undefined],
  ])(
    'uses a token that another tab renewed at the same time only if it is of the same user: %s',
    async (_user, userId, expected) => {
      const clock = testClock(0)
      const [first, second] = [host([], { clock }), host([], { clock })]
      await started(first)
      await started(second)
      await first.kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: 10_000, refresh: 'r1' })
      await settle()
      second.kernel.session.register({
        renew: async () => {
          await first.kernel.session.set(
            { ...SIGNED_IN, userId },
            { value: 'theirs', expiresAt: 90_000, refresh: 'r2' },
          )
          return { value: 'ours', expiresAt: 91_000, refresh: 'r2' }
        },
      })
      expect(await second.keybay.session.bearer()).toBe(expected)
      expect(second.keybay.session.current.userId).toBe(userId)
    },
  )
  it('waits for a token that another tab renews when the provider asks to, and gives up in the end', async () => {
    const clock = testClock(0)
    const it = host([], { clock })
    await started(it)
    const old = { value: 'old', expiresAt: 10_000 }
    const next = { value: 'next', expiresAt: 90_000 }
    await it.kernel.session.set(SIGNED_IN, old)
    let successor: Token | undefined
    it.kernel.session.register({
      async renew(token, wait) {
        successor = await wait()
        return successor === token ? undefined : successor
      },
    })
    const isWaiting = () => expect.poll(() => clock.pending()).toBeGreaterThan(0)
    const bearer = it.keybay.session.bearer()
    await isWaiting()
    await clock.advance(500)
    localStorage.setItem('keybay:local:session', JSON.stringify({ state: SIGNED_IN, token: next }))
    await clock.advance(20)
    expect(await bearer).toBe('next')
    await it.kernel.session.set(SIGNED_IN, old)
    const ended = it.keybay.session.bearer()
    await isWaiting()
    await clock.advance(1000)
    expect(await ended).toBeUndefined()
    expect(successor).toEqual(old)
  })
  it('keeps the token when the session’s status changes, and ignores a change after a sign-out', async () => {
    const { keybay, kernel } = host()
    const current = { status: 'verification', userId: 'u' } as const
    await kernel.session.set(current, { value: 't', expiresAt: Date.now() + 90_000 })
    await kernel.session.move(current, 'authenticated')
    expect([keybay.session.current, await keybay.session.bearer()]).toEqual([SIGNED_IN, 't'])
    const before = keybay.session.current
    await kernel.session.clear()
    await kernel.session.move(before, 'verification')
    expect(await kernel.session.revive(before, 't')).toBe(false)
    expect(keybay.session.current).toEqual({ status: 'anonymous' })
  })
  it('renews a refused token once, although the token has not expired locally', async () => {
    const { keybay, kernel } = host()
    const renew = vi.fn(async () => ({ value: 'new', expiresAt: Date.now() + 90_000 }))
    kernel.session.register({ renew })
    await kernel.session.set(SIGNED_IN, { value: 'old', expiresAt: Date.now() + 90_000 })
    const { current } = keybay.session
    expect(await kernel.session.revive(current, 'old')).toBe(true)
    expect(await kernel.session.revive(current, 'old')).toBe(true) // another call was refused with the old token, too
    expect(await keybay.session.bearer()).toBe('new')
    expect(renew).toHaveBeenCalledOnce()
  })
  it('a sign-out signs out every tab', async () => {
    const [first, second] = [host(), host()]
    await started(first)
    await started(second)
    const signedIn = new Promise(resolve => second.keybay.on('session:changed', resolve))
    await first.kernel.session.set(SIGNED_IN, { value: 't', expiresAt: Date.now() + 90_000 })
    expect(await signedIn).toEqual({ session: SIGNED_IN })
    const out = new Promise(resolve => second.keybay.on('session:changed', resolve))
    await first.kernel.session.clear()
    expect(await out).toEqual({ session: { status: 'anonymous' } })
    expect(await second.keybay.session.bearer()).toBeUndefined()
  })
  it('notices a stored session that becomes readable only after its message, as between processes', async () => {
    const it = host()
    await started(it)
    const write = async (state: object) => {
      localStorage.setItem('keybay:local:session', JSON.stringify({ state }))
      dispatchEvent(new Event('storage'))
      await settle()
    }
    await write(SIGNED_IN)
    expect(it.keybay.session.current).toEqual(SIGNED_IN)
    await write({ status: 'anonymous' })
    expect(it.keybay.session.current).toEqual({ status: 'anonymous' })
    it.keybay.dispose()
    await write(SIGNED_IN)
    expect(it.keybay.session.current).toEqual({ status: 'anonymous' })
  })
  it('[S13.3] the expiry of a session ends no session of another environment in the same page', async () => {
    const clock = testClock(0)
    const [short, long] = [host([], { clock, environmentId: 'a' }), host([], { clock, environmentId: 'b' })]
    await Promise.all([started(short), started(long)])
    await short.kernel.session.set(SIGNED_IN, { value: 's', expiresAt: 60_000 })
    await long.kernel.session.set(SIGNED_IN, { value: 'l', expiresAt: 600_000 })
    await clock.advance(60_000)
    expect(await short.keybay.session.bearer()).toBeUndefined()
    expect(short.keybay.session.current.status).toBe('expired')
    expect(await long.keybay.session.bearer()).toBe('l')
    expect(long.keybay.session.current).toEqual(SIGNED_IN)
  })
  it('[S13.7] keeps a session that an older version or a newer version stored', async () => {
    const older = { state: SIGNED_IN, token: { value: 't', expiresAt: 60_000 } }
    const newer = { ...older, state: { ...SIGNED_IN, since: 1 }, token: { ...older.token, kind: 'x' }, schema: 2 }
    for (const stored of [older, newer]) {
      localStorage.setItem('keybay:local:session', JSON.stringify(stored))
      const it = host([], { clock: testClock(0) })
      await started(it)
      expect(it.keybay.session.current).toMatchObject(SIGNED_IN)
      expect(await it.keybay.session.bearer()).toBe('t')
      it.keybay.dispose()
    }
  })
  it('ignores unknown session values in storage', async () => {
    localStorage.setItem('keybay:local:session', '{"state":null,"token":{"value":"x","expiresAt":9e15}}')
    const it = host()
    await started(it)
    expect(it.keybay.session.current).toEqual({ status: 'anonymous' })
    expect(await it.keybay.session.bearer()).toBeUndefined()
  })
})
