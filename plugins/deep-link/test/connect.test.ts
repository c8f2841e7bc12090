// @vitest-environment happy-dom
import bs58 from 'bs58'
import { describe, expect, it, vi } from 'vitest'
import { phantom } from '../src/index.js'
import { connected, leaveToConnect, openConnected, openWith, setUpWorld, until, type WalletId } from './support.js'

const world = setUpWorld()
const WALLETS: readonly WalletId[] = ['deep-link:phantom', 'deep-link:solflare']

function toKey(id: WalletId) {
  return id.slice('deep-link:'.length)
}

function getLastVisit() {
  return world.phone.visits.at(-1) ?? new URL('about:blank')
}

async function openFailing(address: string, id: WalletId) {
  const page = world.open(address)
  await until(() => page.keybay.attempts.get(id)?.status === 'failed')
  expect(page.keybay.connections.list()).toEqual([])
  expect(location.search).toBe('')
  return page.keybay.attempts.get(id)?.error
}

describe.each(WALLETS)('connecting with %s', id => {
  it('[S1.17] [S2.7] [S4.3] a deep-link connect completes in the page that the wallet returns to', async () => {
    const page = await connected(world, id)
    const { account } = world.phone
    expect(page.keybay.connections.get(id)?.accounts).toMatchObject([
      { address: account.address, publicKey: account.publicKey, chains: ['solana:mainnet'] },
    ])
    expect(page.keybay.attempts.get(id)).toMatchObject({ method: 'connect', status: 'succeeded' })
    expect(page.event('connection:opened')).toMatchObject({ connection: { connectorId: id }, resumed: true })
  })
  it('[S2.7] sends the connect parameters that the wallets document, and the wallet reads them', async () => {
    await leaveToConnect(world.open('/shop?item=1#reviews', { cluster: 'devnet' }), world, id)
    const { origin, pathname, searchParams } = getLastVisit()
    expect(origin + pathname).toBe(
      id === 'deep-link:phantom' ? 'https://phantom.app/ul/v1/connect' : 'https://solflare.com/ul/v1/connect',
    )
    expect([...searchParams.keys()].sort()).toEqual([
      'app_url',
      'cluster',
      'dapp_encryption_public_key',
      'redirect_link',
    ])
    expect(world.phone.read().ask).toMatchObject({ method: 'connect', appUrl: location.origin, cluster: 'devnet' })
  })
  it('makes a new key pair and 128 new bits of state for each deep-link connect', async () => {
    const seen = new Set<unknown>()
    for (const _ of [1, 2, 3]) {
      await leaveToConnect(world.open('/'), world, id)
      seen.add(getLastVisit().searchParams.get('dapp_encryption_public_key'))
      const { searchParams } = new URL(getLastVisit().searchParams.get('redirect_link') ?? '')
      const state = searchParams.get('keybay_return')?.split('.')[1] ?? ''
      expect(bs58.decode(state)).toHaveLength(16)
      seen.add(state)
    }
    expect(seen.size).toBe(6)
  })
  it('[S2.8] sends the wallet no query and no fragment of the host, and gives them back to the returned page', async () => {
    await leaveToConnect(world.open('/shop?item=a%20b&code=secret&nonce=7#access_token=secret'), world, id)
    const link = getLastVisit().searchParams.get('redirect_link') ?? ''
    expect(link.replace(/\w+$/, 'STATE')).toBe(`${location.origin}/shop?keybay_return=${toKey(id)}.STATE`)
    const back = await world.phone.answer()
    const entries = history.length
    history.replaceState({ scroll: 12 }, '', back)
    const heard: string[] = []
    const listen = ({ type }: Event) => heard.push(`${type} ${location.hash} ${JSON.stringify(history.state)}`)
    for (const type of ['popstate', 'hashchange']) addEventListener(type, listen)
    const page = world.openTab()
    await until(() => page.keybay.connections.get(id))
    for (const type of ['popstate', 'hashchange']) removeEventListener(type, listen)
    expect(location.href).toBe(`${location.origin}/shop?item=a%20b&code=secret&nonce=7#access_token=secret`)
    expect([history.state, history.length]).toEqual([{ scroll: 12 }, entries])
    // happy-dom adds a `hashchange` of its own.
    expect([...new Set(heard)].toSorted()).toEqual(
      ['hashchange', 'popstate'].map(type => `${type} #access_token=secret {"scroll":12}`),
    )
    expect(JSON.stringify({ ...localStorage })).not.toContain('access_token')
  })
  it('no deep-link request tells the wallet the host’s query or fragment', async () => {
    const page = await connected(world, id)
    history.replaceState(null, '', '/shop?code=secret#token=secret')
    const { features } = page.wallet(id).wallet
    const message = new Uint8Array([1])
    features['solana:signMessage'].signMessage({ account: page.account(id), message }).catch(() => {})
    await until(() => world.phone.visits.length === 2)
    page.keybay.disconnect(id).catch(() => {})
    await until(() => world.phone.visits.length === 3)
    for (const { searchParams } of world.phone.visits.slice(1)) {
      expect(searchParams.get('redirect_link')).toMatch(/\/shop\?keybay_return=\w+\.\w+$/)
      expect(decodeURIComponent(searchParams.toString())).not.toContain('secret')
    }
    await openWith(world, 'operation:resumed')
    expect(location.href).toBe(`${location.origin}/shop?code=secret#token=secret`)
  })
  it.each(['?lang=de', '#top'])('keeps what the return page has already: %s', async own => {
    await leaveToConnect(world.open('/shop?item=1#reviews'), world, id)
    const { pathname, search } = new URL(await world.phone.answer())
    const back = own.startsWith('?') ? `${pathname}${own}&${search.slice(1)}` : `${pathname}${search}${own}`
    await openConnected(world, id, back)
    expect(location.href).toBe(`${location.origin}/shop${own}`)
  })
  it('leaves the address alone when the app navigated before the response was read', async () => {
    await leaveToConnect(world.open('/shop?item=1'), world, id)
    const page = world.open(await world.phone.answer())
    history.replaceState(null, '', '/home')
    await until(() => page.keybay.connections.get(id))
    expect(location.href).toBe(`${location.origin}/home`)
  })
  it('stays connected to a deep-link wallet after a reload and in a new tab', async () => {
    await connected(world, id)
    await openConnected(world, id, '/')
    const beside = world.openTab('/')
    await until(() => beside.keybay.connections.get(id))
    expect(beside.wallet(id).wallet.accounts[0]?.address).toBe(world.phone.account.address)
    expect(world.phone.visits).toHaveLength(1)
  })
  it('waits for the stored session when another tab’s connect is announced before it is stored', async () => {
    await connected(world, id)
    const key = Object.keys(localStorage).find(name => name.endsWith(`deep-link:${toKey(id)}:session`)) ?? ''
    const stored = localStorage.getItem(key) ?? ''
    localStorage.removeItem(key)
    const reads = vi.spyOn(IDBObjectStore.prototype, 'get')
    const beside = world.openTab('/')
    await until(() => reads.mock.calls.length)
    localStorage.setItem(key, stored)
    dispatchEvent(new StorageEvent('storage', { key }))
    await until(() => beside.keybay.connections.get(id))
    expect(beside.wallet(id).wallet.accounts[0]?.address).toBe(world.phone.account.address)
  })
  it.each([
    ['altered', 'deep_link_answer_invalid'],
    ['foreign', 'deep_link_answer_invalid'],
    ['wrong-nonce', 'deep_link_answer_invalid'],
    ['short-nonce', 'deep_link_answer_invalid'],
    ['error4100', 'deep_link_session_ended'],
    ['error4900', 'deep_link_wallet_offline'],
    ['error-32000', 'deep_link_request_invalid'],
    ['error-32002', 'deep_link_wallet_busy'],
    ['error-32003', 'deep_link_request_invalid'],
    ['error-32601', 'deep_link_request_invalid'],
    ['error-32603', 'deep_link_wallet_failed'],
    ['unknown-error', 'deep_link_wallet_unknown'],
  ])('rejects a connect response that is %s with %s, and does not connect', async (manner, code) => {
    world.phone.manner = manner
    await leaveToConnect(world.open('/'), world, id)
    expect(await openFailing(await world.phone.answer(), id)).toMatchObject({ code, connectorId: id })
  })
  it('rejects a connect response without a key, data or nonce', async () => {
    for (const missing of [[`${toKey(id)}_encryption_public_key`], ['data'], ['nonce'], ['data', 'nonce']]) {
      await leaveToConnect(world.open('/'), world, id)
      const back = new URL(await world.phone.answer())
      for (const name of missing) back.searchParams.delete(name)
      expect(await openFailing(back.href, id)).toMatchObject({ code: 'deep_link_answer_invalid' })
    }
  })
  it('ignores a connect response that arrives twice, and stays connected', async () => {
    await leaveToConnect(world.open('/'), world, id)
    const back = await world.phone.answer()
    await openConnected(world, id, back)
    const second = world.open(back)
    await until(() => second.keybay.attempts.get(id)?.error)
    expect(second.keybay.attempts.get(id)?.error?.code).toBe('redirect_unexpected')
    await until(() => second.keybay.connections.get(id))
  })
  it.each([
    ['the request', 'redirect_unexpected', async () => localStorage.clear()],
    [
      'the key',
      'deep_link_session_ended',
      async () => {
        for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
      },
    ],
  ])('rejects a connect response when this browser has lost %s', async (_, code, lose) => {
    await leaveToConnect(world.open('/'), world, id)
    const back = await world.phone.answer()
    await lose()
    expect(await openFailing(back, id)).toMatchObject({ code })
  })
  it('rejects a response to another wallet’s request', async () => {
    await leaveToConnect(world.open('/'), world, id)
    const other = WALLETS.find(wallet => wallet !== id) ?? id
    const back = (await world.phone.answer()).replace(`keybay_return=${toKey(id)}.`, `keybay_return=${toKey(other)}.`)
    const page = world.open(back)
    await until(() => page.keybay.attempts.get(other)?.status === 'failed')
    expect(page.keybay.attempts.get(other)?.error?.code).toBe('redirect_unexpected')
    expect(page.keybay.connections.list()).toEqual([])
  })
})
it('connects two deep-link wallets that respond in the other order', async () => {
  await leaveToConnect(world.open('/'), world, 'deep-link:phantom')
  const older = getLastVisit()
  await leaveToConnect(world.open('/'), world, 'deep-link:solflare')
  const first = world.open(await world.phone.answer())
  await until(() => first.keybay.connections.get('deep-link:solflare'))
  const second = world.open(await world.phone.answer('approves', older))
  await until(() => WALLETS.every(id => second.keybay.connections.get(id)))
})

describe('the connectors', () => {
  const readReadiness = () => {
    const page = world.open('/')
    return WALLETS.map(id => page.wallet(id).readiness)
  }
  it('deep-link connectors are ready on phones, unsupported elsewhere, and always link to the app', () => {
    expect(readReadiness()).toEqual(['ready', 'ready'])
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')
    expect(readReadiness()).toEqual(['ready', 'ready']) // an iPad: no Mac has a touch screen
    vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(0)
    expect(readReadiness()).toEqual(['unsupported', 'unsupported'])
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')
    vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(10)
    expect(readReadiness()).toEqual(['unsupported', 'unsupported'])
    const page = world.open('/')
    expect(WALLETS.map(id => page.wallet(id).installUrl)).toEqual([
      'https://phantom.com/download',
      'https://solflare.com/download',
    ])
  })
  it('deep-link connectors use a custom base address and app address', async () => {
    const wallets = [phantom({ baseUrl: 'http://phantom.localhost:4700/ul/v1/' })]
    await leaveToConnect(world.open('/', { wallets, appUrl: 'https://acme.example' }), world, 'deep-link:phantom')
    expect(getLastVisit().href).toMatch(/^http:\/\/phantom\.localhost:4700\/ul\/v1\/connect\?/)
    expect(getLastVisit().searchParams.get('app_url')).toBe('https://acme.example')
  })
  it('deep-link connectors do not use the session of another network', async () => {
    await connected(world, 'deep-link:phantom', { cluster: 'devnet' })
    const page = world.open('/', { cluster: 'testnet' })
    await page.wallet('deep-link:phantom').preload?.()
    const context = { signal: new AbortController().signal, silent: true }
    const { connect } = page.wallet('deep-link:phantom')
    await expect(Reflect.apply(Object(connect), undefined, [context])).resolves.toEqual([])
  })
})
