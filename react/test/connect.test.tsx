// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useConnect, useDisconnect } from '../src/index.js'
import { account, deferred, fakeWallet, freshPages, host, login, probe, settle } from './helpers.js'

freshPages()

describe('connecting', () => {
  it('useConnect goes from idle through pending to success', async () => {
    const wallet = fakeWallet('a')
    const answer = deferred<{ accounts: ReturnType<typeof account>[] }>()
    wallet.answer = () => answer.promise
    const { keybay } = host([wallet.connector])
    const connect = await probe(keybay, () => useConnect())
    expect(connect.current).toMatchObject({ status: 'idle', connectorId: undefined, data: undefined })
    const { run } = connect.current
    await settle(() => run('a'))
    expect(connect.current).toMatchObject({ status: 'pending', connectorId: 'a' })
    await settle(() => answer.resolve({ accounts: [account('a1')] }))
    expect(connect.current).toMatchObject({ status: 'success', data: { connectorId: 'a' }, error: undefined })
    expect(connect.renders).toBe(3)
    expect(connect.current.run).toBe(run)
  })
  it('useConnect starts inside the click, so that a popup may open', async () => {
    const gesture = vi.fn()
    const { keybay } = host([fakeWallet('a', { gesture }).connector])
    const connect = await probe(keybay, () => useConnect())
    await settle(() => {
      connect.current.run('a')
      expect(gesture).toHaveBeenCalledOnce()
    })
  })
  it('useConnect rejects from runAsync, but never from run', async () => {
    const wallet = fakeWallet('a')
    wallet.answer = async () => {
      throw new Error('User rejected the request')
    }
    const { keybay } = host([wallet.connector])
    const connect = await probe(keybay, () => useConnect())
    await settle(() => connect.current.run('a'))
    expect(connect.current).toMatchObject({ status: 'error', error: { code: 'user_rejected' }, data: undefined })
    await expect(connect.current.runAsync('a')).rejects.toMatchObject({ code: 'user_rejected' })
    await settle(() => connect.current.reset())
    expect(connect.current).toMatchObject({ status: 'idle', error: undefined })
  })
  it('useConnect fails for a connector that is unknown or not installed', async () => {
    const { keybay } = host([fakeWallet('none', { readiness: 'not-installed' }).connector])
    const connect = await probe(keybay, () => useConnect())
    await settle(() => connect.current.run('unknown'))
    expect(connect.current).toMatchObject({ status: 'error', error: { code: 'connector_unknown' } })
    await settle(() => connect.current.run('none'))
    expect(connect.current).toMatchObject({ connectorId: 'none', error: { code: 'connector_not_ready' } })
  })
  it('useConnect succeeds at once for a connected wallet', async () => {
    const { keybay } = host([fakeWallet('a').connector])
    await keybay.connect('a')
    keybay.attempts.reset('a')
    const connect = await probe(keybay, () => useConnect())
    await settle(() => connect.current.run('a'))
    expect(connect.current).toMatchObject({ status: 'success', data: { connectorId: 'a' } })
  })
  it('useConnect shows the attempt that began last, or the attempt of a given connector', async () => {
    const [slow, quick] = [fakeWallet('slow'), fakeWallet('quick')]
    const answer = deferred<{ accounts: ReturnType<typeof account>[] }>()
    slow.answer = () => answer.promise
    quick.answer = async () => {
      throw new Error('User rejected the request')
    }
    const { keybay } = host([slow.connector, quick.connector])
    const connect = await probe(keybay, () => useConnect())
    const probed = await probe(keybay, () => useConnect('slow'))
    await settle(() => connect.current.run('slow'))
    await settle(() => connect.current.run('quick'))
    await settle(() => answer.resolve({ accounts: [account('s1')] }))
    expect(connect.current).toMatchObject({ status: 'error', connectorId: 'quick' })
    expect(connect.current.attempt('slow')?.status).toBe('succeeded')
    expect(probed.current).toMatchObject({ status: 'success', connectorId: 'slow' })
    expect(probed.renders).toBe(3)
  })
  it('useConnect is idle in every component after abort', async () => {
    const wallet = fakeWallet('a')
    wallet.answer = () => new Promise(() => {})
    const { keybay } = host([wallet.connector])
    const connect = await probe(keybay, () => useConnect())
    const other = await probe(keybay, () => useConnect())
    const ended = vi.fn()
    await settle(() => connect.current.runAsync('a').catch(ended))
    expect(other.current.status).toBe('pending')
    await settle(() => connect.current.abort())
    expect([connect.current.status, other.current.status]).toEqual(['idle', 'idle'])
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'aborted' }))
  })
  it('useConnect keeps the result of the last attempt after abort', async () => {
    const { keybay } = host([fakeWallet('a').connector])
    const connect = await probe(keybay, () => useConnect())
    await settle(() => connect.current.run('a'))
    await settle(() => connect.current.abort())
    expect(connect.current.status).toBe('success')
  })
  it('useConnect signs in with a login connector', async () => {
    const { keybay, kernel } = host([login('mail')])
    kernel.session.register({
      exchange: async ({ proof }) => ({ status: 'authenticated', userId: String(Object(proof).userId) }),
    })
    const connect = await probe(keybay, () => useConnect())
    await settle(() => connect.current.run('mail', { email: 'a@example.com' }))
    expect(connect.current).toMatchObject({ status: 'success', data: { status: 'authenticated', userId: 'mail' } })
  })
  it('useDisconnect closes the connection of a wallet', async () => {
    const { keybay } = host([fakeWallet('a').connector])
    const disconnect = await probe(keybay, useDisconnect)
    await keybay.connect('a')
    await settle(() => disconnect.current.run('a'))
    expect(disconnect.current.status).toBe('success')
    expect(keybay.connections.list()).toEqual([])
  })
})

describe('a redirect', () => {
  beforeEach(() => {
    vi.spyOn(location, 'assign').mockImplementation(() => {})
  })
  afterEach(() => vi.restoreAllMocks())
  const deep = () =>
    fakeWallet('deep', {
      connect: ctx => ctx.redirect('https://wallet.example/connect'),
      claims: url => url.searchParams.has('answer'),
      async resume(url) {
        history.replaceState(null, '', '/')
        const answer = url.searchParams.get('answer')
        return answer ? [account(answer)] : []
      },
    }).connector

  it('useConnect shows a redirect, and its result after the reload', async () => {
    const before = host([deep()])
    const leaving = await probe(before.keybay, () => useConnect())
    await settle(() => leaving.current.run('deep'))
    expect(leaving.current).toMatchObject({ status: 'redirecting', connectorId: 'deep' })
    expect(location.assign).toHaveBeenCalledWith('https://wallet.example/connect')
    await settle(() => leaving.root.unmount())
    before.keybay.dispose()

    history.replaceState(null, '', '/?answer=back')
    const { keybay } = host([deep()])
    const back = await probe(keybay, () => useConnect())
    expect(back.current).toMatchObject({ status: 'success', data: { accounts: [{ address: 'back' }] } })
  })
  it('useConnect shows a redirect, and its failure after the reload', async () => {
    const before = host([deep()])
    const leaving = await probe(before.keybay, () => useConnect())
    await settle(() => leaving.current.run('deep'))
    await settle(() => leaving.root.unmount())
    before.keybay.dispose()

    history.replaceState(null, '', '/?answer=')
    const { keybay } = host([deep()])
    const failed = vi.fn()
    keybay.on('connection:failed', failed)
    const back = await probe(keybay, () => useConnect('deep'))
    expect(back.current).toMatchObject({ status: 'error', error: { connectorId: 'deep' } })
    expect(failed).toHaveBeenCalledTimes(1)
  })
})
