// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResumeContext } from '../src/index.js'
import { account, exchange, fakeWallet, host, loginConnector, settle, testClock, walletConnector } from './helpers.js'

function claims(url: URL) {
  return url.searchParams.has('answer')
}
/** Reads the response and clears the address, as a connector does. */
function consume(url: URL) {
  history.replaceState(null, '', url.pathname)
  return url.searchParams.get('answer')
}
beforeEach(() => {
  localStorage.clear()
  history.replaceState(null, '', '/')
  vi.spyOn(location, 'assign').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

function wallet(seen: unknown[] = []) {
  return walletConnector(fakeWallet('deep'), {
    claims,
    connect: ctx => ctx.redirect('https://wallet.example/connect'),
    async resume(url: URL, { attempt }: ResumeContext) {
      seen.push(attempt?.method)
      const answer = consume(url)
      if (answer === 'refused') throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      return attempt?.method === 'connect' ? [account(String(answer))] : { answer }
    },
  })
}

async function leave() {
  const first = host([wallet()])
  void first.keybay.connect('deep').catch(() => {})
  await settle()
  expect(first.keybay.attempts.get('deep')?.status).toBe('redirecting')
  expect(location.assign).toHaveBeenCalledWith('https://wallet.example/connect')
  first.keybay.dispose()
}

describe('leaving the page and coming back', () => {
  it('[S13.6] resumes a connect after a full reload, with its state, event and connection', async () => {
    await leave()
    history.replaceState(null, '', '/?answer=addr')
    const { keybay } = host([wallet()])
    const opened = vi.fn()
    keybay.on('connection:opened', opened)
    keybay.connectors.list()
    await settle()
    expect(opened).toHaveBeenCalledWith({ connection: expect.objectContaining({ connectorId: 'deep' }), resumed: true })
    expect(keybay.attempts.get('deep')).toMatchObject({ status: 'succeeded', method: 'connect' })
    expect(location.search).toBe('')
  })
  it('[S13.4] [S13.6] reports a refusal that comes back by redirect', async () => {
    await leave()
    history.replaceState(null, '', '/?answer=refused')
    const { keybay } = host([wallet()])
    keybay.connectors.list()
    await settle()
    expect(keybay.attempts.get('deep')).toMatchObject({ status: 'failed', error: { code: 'user_rejected' } })
    expect(keybay.connections.list()).toEqual([])
  })
  it('[S13.6] resumes a connect when the connector comes late', async () => {
    await leave()
    history.replaceState(null, '', '/?answer=addr')
    const { keybay, kernel } = host()
    keybay.connectors.list()
    await settle()
    kernel.connectors.add(wallet())
    await settle()
    expect(keybay.connections.get('deep')).toBeDefined()
  })
  it('[S13.5] [S13.6] ignores a redirect response to a request this app never made, and clears the address', async () => {
    history.replaceState(null, '', '/?answer=forged')
    const seen: unknown[] = []
    const { keybay } = host([wallet(seen)])
    keybay.connectors.list()
    await settle()
    expect(seen).toEqual([undefined])
    expect(keybay.connections.list()).toEqual([])
    expect(keybay.attempts.get('deep')).toMatchObject({ status: 'failed', error: { code: 'redirect_unexpected' } })
    expect(location.search).toBe('')
  })
  it('[S13.6] accepts a redirect response only once', async () => {
    await leave()
    for (const expected of ['succeeded', 'failed']) {
      history.replaceState(null, '', '/?answer=addr')
      const { keybay } = host([wallet()])
      keybay.connectors.list()
      await settle()
      expect(keybay.attempts.get('deep')?.status).toBe(expected)
      keybay.dispose()
    }
  })
  describe('a redirect with a state', () => {
    const withState = (state: string) =>
      walletConnector(fakeWallet('deep'), {
        claims: url => url.searchParams.get('answer') ?? false,
        connect: ctx => ctx.redirect('https://wallet.example/connect', state),
        resume: async (url: URL) => [account(String(consume(url)))],
      })
    const leaveWith = async (state: string) => {
      const tab = host([withState(state)])
      void tab.keybay.connect('deep').catch(() => {})
      await settle()
      tab.keybay.dispose()
    }
    const comeBackWith = async (answer: string) => {
      history.replaceState(null, '', `/?answer=${answer}`)
      const tab = host([withState('none')])
      tab.keybay.connectors.list()
      await settle()
      const attempt = tab.keybay.attempts.get('deep')
      tab.keybay.dispose()
      return attempt
    }
    const unexpected = { status: 'failed', error: { code: 'redirect_unexpected' } }

    it.each([
      ['older', ['first', 'second']],
      ['newer', ['second', 'first']],
    ])('gives each of two tabs its own redirect response, the %s one first', async (_, answers) => {
      await leaveWith('first')
      await leaveWith('second')
      for (const answer of answers) expect(await comeBackWith(answer)).toMatchObject({ status: 'succeeded' })
      for (const answer of answers) expect(await comeBackWith(answer)).toMatchObject(unexpected)
      expect(Object.keys(localStorage).filter(key => key.includes('redirect'))).toEqual([])
    })
    it('an unexpected redirect response leaves pending attempts unchanged', async () => {
      await leaveWith('first')
      expect(await comeBackWith('forged')).toMatchObject(unexpected)
      expect(await comeBackWith('first')).toMatchObject({ status: 'succeeded' })
    })
    it('an attempt that fails in another tab leaves pending redirects unchanged', async () => {
      await leaveWith('first')
      const refusing = () => Promise.reject(Object.assign(new Error('User rejected the request.'), { code: 4001 }))
      const second = host([walletConnector(fakeWallet('deep'), { connect: refusing })])
      await expect(second.keybay.connect('deep')).rejects.toMatchObject({ code: 'user_rejected' })
      const other = host([withState('other')])
      const gone = expect(other.keybay.connect('deep')).rejects.toMatchObject({ code: 'aborted' })
      await settle()
      other.keybay.attempts.reset('deep')
      await gone
      await settle()
      expect(await comeBackWith('other')).toMatchObject(unexpected)
      expect(await comeBackWith('first')).toMatchObject({ status: 'succeeded' })
    })
  })
  it('ignores a redirect response that is an hour late', async () => {
    const clock = testClock()
    const first = host([wallet()], { clock })
    void first.keybay.connect('deep').catch(() => {})
    await settle()
    first.keybay.dispose()
    await clock.advance(3_600_000)
    history.replaceState(null, '', '/?answer=addr')
    const { keybay } = host([wallet()], { clock })
    keybay.connectors.list()
    await settle()
    expect(keybay.attempts.get('deep')?.error?.code).toBe('redirect_unexpected')
  })
  it('resumes a wallet method after a redirect and reports its result', async () => {
    const first = host([wallet()])
    first.keybay.connectors.list()
    void first.kernel.redirect('https://wallet.example/sign', { connectorId: 'deep', method: 'signMessage' })
    await settle()
    history.replaceState(null, '', '/?answer=signature')
    const { keybay } = host([wallet()])
    const resumed = vi.fn()
    keybay.on('operation:resumed', resumed)
    keybay.connectors.list()
    await settle()
    expect(resumed).toHaveBeenCalledWith({
      connectorId: 'deep',
      method: 'signMessage',
      result: { answer: 'signature' },
    })
  })
  it('turns a login’s redirect response into a session', async () => {
    const login = () =>
      loginConnector('social', {
        claims,
        connect: (_input, ctx) => ctx.redirect('https://provider.example'),
        resume: async url => ({ method: 'oauth', proof: { userId: consume(url) } }),
      })
    const first = host([login()])
    void first.keybay.connect('social').catch(() => {})
    await settle()
    history.replaceState(null, '', '/?answer=code')
    const { keybay, kernel } = host([login()])
    kernel.session.register({ exchange })
    keybay.connectors.list()
    await settle()
    expect(keybay.attempts.get('social')).toMatchObject({ status: 'succeeded', result: { userId: 'code' } })
  })
  it('pauses the time-out during a redirect, and fails with user_rejected when the user comes back', async () => {
    const clock = testClock()
    const { keybay } = host([wallet()], { clock })
    const back = expect(keybay.connect('deep')).rejects.toMatchObject({ code: 'user_rejected' })
    await settle()
    await clock.advance(10_000_000)
    expect(keybay.attempts.get('deep')?.status).toBe('redirecting')
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await back
  })
  it('refuses to redirect to an address that runs script', async () => {
    const bad = walletConnector(fakeWallet('bad'), { connect: ctx => ctx.redirect('javascript:alert(1)') })
    const { keybay } = host([bad])
    await expect(keybay.connect('bad')).rejects.toMatchObject({ code: 'config_invalid' })
    expect(location.assign).not.toHaveBeenCalled()
  })
  it('survives a connector whose claims throws', async () => {
    history.replaceState(null, '', '/?answer=addr')
    const bad = walletConnector(fakeWallet('bad'), {
      claims: () => {
        throw new Error('ha')
      },
    })
    const { keybay } = host([bad])
    keybay.connectors.list()
    await settle()
    expect(keybay.connectors.list()).toHaveLength(1)
  })
})
