// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import {
  useAccounts,
  useActiveAccount,
  useConnection,
  useConnections,
  useConnectors,
  useSession,
} from '../src/index.js'
import { account, fakeWallet, freshPages, host, login, probe, render, settle, Use } from './helpers.js'

freshPages()

describe.each([10, 100, 1000])('a list of %d wallets', count => {
  const many = () => {
    const wallets = Array.from({ length: count }, (_, i) => fakeWallet(`w${i}`))
    const made = host()
    // As wallet-standard does it: at the start of the instance, which the first read of the list brings about.
    made.kernel.onStart(() => {
      for (const { connector } of wallets) made.kernel.connectors.add(connector)
      return undefined
    })
    return { ...made, wallets }
  }

  it('a list of connectors renders once until settled', async () => {
    const { keybay } = many()
    const list = await probe(keybay, () => useConnectors())
    expect(list.current).toHaveLength(count)
    expect(list.renders).toBe(1)
  })
  it('a list of connectors does not render when a wallet that is not connected changes', async () => {
    const { keybay, wallets } = many()
    const list = await probe(keybay, () => useConnectors())
    await settle(() => wallets[3]?.emit([account('other')]))
    expect(list.renders).toBe(1)
  })
  it('a list of connectors does not render when a connected wallet changes only data that the list does not show', async () => {
    const { keybay, wallets } = many()
    const list = await probe(keybay, () => useConnectors())
    await settle(() => keybay.connect('w3'))
    await settle(() => wallets[3]?.emit([account('other')]))
    expect(keybay.accounts.list()[0]?.address).toBe('other')
    expect(list.renders).toBe(1)
  })
  it('a list of connectors renders once when one wallet registers, and once when fifty wallets do', async () => {
    const { keybay, kernel } = many()
    const list = await probe(keybay, () => useConnectors())
    await settle(() => kernel.connectors.add(fakeWallet('late').connector))
    expect(list.renders).toBe(2)
    await settle(() => {
      for (let i = 0; i < 50; i++) kernel.connectors.add(fakeWallet(`later${i}`).connector)
    })
    expect(list.renders).toBe(3)
    expect(list.current).toHaveLength(count + 51)
  })
})

describe('a filtered list', () => {
  it('a filtered list shows matching connectors, and does not render for other connectors', async () => {
    const { keybay, kernel } = host([
      fakeWallet('a').connector,
      fakeWallet('b', { readiness: 'not-installed' }).connector,
      login('mail'),
      login('key', { method: 'passkey' }),
    ])
    const ids = (filter: Parameters<typeof useConnectors>[0]) => () => useConnectors(filter).map(({ id }) => id)
    const logins = await probe(keybay, ids({ kind: 'login' }))
    const missing = await probe(keybay, ids({ kind: 'wallet', readiness: 'not-installed' }))
    const passkeys = await probe(keybay, ids({ method: 'passkey' }))
    expect([logins.current, missing.current, passkeys.current]).toEqual([['mail', 'key'], ['b'], ['key']])
    await settle(() => kernel.connectors.add(fakeWallet('c').connector))
    expect([logins.renders, missing.renders, passkeys.renders]).toEqual([1, 1, 1])
    await settle(() => kernel.connectors.update('b', { readiness: 'ready' }))
    expect(missing.current).toEqual([])
    expect([logins.renders, missing.renders, passkeys.renders]).toEqual([1, 2, 1])
  })
  it('a filtered list of connectors follows a changed filter', async () => {
    const { keybay } = host([fakeWallet('a').connector, login('mail')])
    const seen: string[][] = []
    const reads = (kind: 'wallet' | 'login') => () => {
      seen.push(useConnectors({ kind }).map(({ id }) => id))
    }
    const view = await render(keybay, <Use hook={reads('wallet')} />)
    await view.render(<Use hook={reads('login')} />)
    expect([seen[0], seen.at(-1)]).toEqual([['a'], ['mail']])
  })
})

describe('the open connections', () => {
  it('connection hooks render once per connect and disconnect', async () => {
    const a = fakeWallet('a')
    const { keybay } = host([a.connector, fakeWallet('b').connector])
    const all = await probe(keybay, useConnections)
    const connection = await probe(keybay, () => useConnection('a'))
    const accounts = await probe(keybay, useAccounts)
    expect([all.current, connection.current, accounts.current]).toEqual([[], undefined, []])
    await settle(() => keybay.connect('a'))
    expect(connection.current?.accounts[0]?.address).toBe('a1')
    await settle(() => keybay.connect('b'))
    expect(all.current.map(({ connectorId }) => connectorId)).toEqual(['a', 'b'])
    expect(accounts.current.map(({ key }) => key)).toEqual(['a|a1', 'b|b1'])
    // The connection of b does not concern readers of a.
    expect([all.renders, connection.renders, accounts.renders]).toEqual([3, 2, 3])
    await settle(() => keybay.disconnect('a'))
    expect([all.renders, connection.renders, connection.current]).toEqual([4, 3, undefined])
  })
  it('useActiveAccount returns one active account with its connector, and switches on request', async () => {
    const { keybay, kernel } = host([fakeWallet('a').connector, fakeWallet('b').connector])
    const active = await probe(keybay, () => useActiveAccount())
    const evm = await probe(keybay, () => useActiveAccount('eip155'))
    const { setActive } = active.current
    await settle(() => keybay.connect('a'))
    await settle(() => keybay.connect('b'))
    expect([active.current.account?.address, active.current.connector?.id, active.renders]).toEqual(['a1', 'a', 2])
    await settle(() => expect(active.current.setActive('b|b1')).toBe(true))
    expect([active.current.account?.address, active.current.connector?.id, active.renders]).toEqual(['b1', 'b', 3])
    expect(active.current.setActive('unknown')).toBe(false)
    expect(active.current.setActive).toBe(setActive)
    expect(evm.current.account).toBeUndefined()
    await settle(() => kernel.connectors.update('b', { name: 'New name' }))
    expect([active.current.connector?.name, active.renders]).toEqual(['New name', 4])
  })
  it('useSession follows the session', async () => {
    const { keybay, kernel } = host()
    const session = await probe(keybay, useSession)
    expect(session.current).toEqual({ status: 'anonymous' })
    await settle(() => kernel.session.set({ status: 'authenticated', userId: 'u' }))
    expect([session.current.status, session.renders]).toEqual(['authenticated', 2])
  })
})
