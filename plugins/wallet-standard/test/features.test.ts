// @vitest-environment happy-dom
import type { FeatureName } from '@keybay/kernel'
import { mockWallet, settle } from '@keybay/kernel/testing'
import type { Wallet } from '@wallet-standard/base'
import { describe, expect, it, vi } from 'vitest'
import { find, ids, open, register, twist } from './page.js'

/** A wallet whose features and chains the test decides. A deaf one goes on talking to who no longer listens. */
function changing(name: string, deaf = false) {
  const mock = mockWallet({ name })
  const { on } = mock.wallet.features['standard:events'] ?? {}
  const events = {
    version: '1.0.0',
    on(...args: Parameters<NonNullable<typeof on>>) {
      const off = on?.(...args)
      return deaf ? () => {} : off
    },
  }
  const all: Wallet['features'] = { ...mock.wallet.features, 'standard:events': events }
  let features = all
  let chains: Wallet['chains'] = mock.wallet.chains
  const wallet = twist(mock.wallet, { features: { get: () => features }, chains: { get: () => chains } })
  return {
    mock,
    wallet,
    lose(feature: FeatureName) {
      features = Object.fromEntries(Object.entries(all).filter(([key]) => key !== feature))
      mock.emit({ features })
    },
    regain() {
      features = { ...all }
      mock.emit({ features })
    },
    move(next: Wallet['chains']) {
      chains = next
      mock.emit({ chains })
    },
  }
}
const needed = ['standard:events', 'standard:connect', 'solana:signTransaction'] as const

describe('what a connector needs', () => {
  it.each(needed)('[S3.10] leaves out a wallet without %s', feature => {
    register(mockWallet({ name: 'Lacking', without: [feature] }).wallet, mockWallet({ name: 'Whole' }).wallet)
    expect(ids(open())).toEqual(['wallet-standard:whole'])
  })
  it.each([
    ['connect-only', true],
    ['connect-and-sign', false],
  ] as const)('[S3.10] with %s, a wallet that cannot sign messages is listed: %s', (authMode, listed) => {
    register(mockWallet({ name: 'Mute', without: ['solana:signMessage'] }).wallet, mockWallet({ name: 'Whole' }).wallet)
    const keybay = open({ authMode })
    expect(ids(keybay)).toEqual(listed ? ['wallet-standard:mute', 'wallet-standard:whole'] : ['wallet-standard:whole'])
  })
  it('[S3.10] lets a wallet go that loses a feature, and takes it back with it', () => {
    const { wallet, lose, regain } = changing('Changing')
    register(wallet)
    const keybay = open()
    for (const feature of ['standard:connect', 'solana:signTransaction'] as const) {
      expect(ids(keybay)).toEqual(['wallet-standard:changing'])
      lose(feature)
      expect(ids(keybay)).toEqual([])
      regain()
    }
    expect(ids(keybay)).toEqual(['wallet-standard:changing'])
  })
  it('does not take a wallet in by a listener of an earlier stay', () => {
    const { wallet, lose, regain } = changing('Deaf', true)
    const keybay = open()
    ids(keybay)
    register(wallet)()
    const leave = register(wallet)
    lose('solana:signTransaction')
    regain()
    expect(ids(keybay)).toEqual(['wallet-standard:deaf'])
    leave()
    expect(ids(keybay)).toEqual([])
  })
  it('takes nothing in after dispose, whatever a wallet says', () => {
    const { wallet, lose, regain } = changing('Deaf', true)
    register(wallet)
    const keybay = open()
    ids(keybay)
    keybay.dispose()
    lose('solana:signTransaction')
    regain()
    expect(ids(keybay)).toEqual([])
  })
  it('[S3.10] takes a wallet in that gains what it lacked', () => {
    const { wallet, lose, regain } = changing('Growing')
    lose('solana:signMessage')
    register(wallet)
    const keybay = open({ authMode: 'connect-and-sign' })
    expect(ids(keybay)).toEqual([])
    regain()
    expect(ids(keybay)).toEqual(['wallet-standard:growing'])
  })
  it('closes the connection of a wallet that loses what it needs', async () => {
    const { wallet, lose } = changing('Losing')
    register(wallet)
    const keybay = open()
    await keybay.connect('wallet-standard:losing')
    lose('solana:signTransaction')
    await settle()
    expect(keybay.connections.list()).toEqual([])
  })
  it('shows other chains in a new snapshot, in the same place; a change of nothing in none', async () => {
    const { wallet, mock, move } = changing('Moving')
    register(wallet, mockWallet({ name: 'Second' }).wallet)
    const keybay = open()
    const before = keybay.connectors.list()
    await settle()
    const told = vi.fn()
    keybay.connectors.subscribe(told)
    mock.emit({ chains: wallet.chains })
    mock.emit({ features: wallet.features })
    await settle()
    expect(keybay.connectors.list()).toBe(before)
    move(['solana:mainnet'])
    await settle()
    expect(keybay.connectors.list()).not.toBe(before)
    expect(ids(keybay)).toEqual(['wallet-standard:moving', 'wallet-standard:second'])
    expect(find(keybay, 'wallet-standard:moving').wallet.chains).toEqual(['solana:mainnet'])
    expect(told).toHaveBeenCalledTimes(1)
  })
  it('is not stirred by the accounts of a wallet that nobody connected', async () => {
    const mock = mockWallet({ name: 'Quiet' })
    register(mock.wallet)
    const filter = vi.fn(() => true)
    const keybay = open({}, { filter })
    const before = keybay.connectors.list()
    const events = vi.fn()
    keybay.onAny(events)
    await mock.switchAccount()
    await settle()
    expect(keybay.connectors.list()).toBe(before)
    expect(events).not.toHaveBeenCalled()
    expect(keybay.connections.list()).toEqual([])
    expect(filter).toHaveBeenCalledTimes(1)
  })
  it('asks the host’s filter, again when chains change, and survives one that throws', () => {
    const { wallet, move } = changing('Filtered')
    register(wallet, mockWallet({ name: 'Fatal' }).wallet, mockWallet({ name: 'Fine' }).wallet)
    const keybay = open(
      {},
      {
        filter({ name, chains }) {
          if (name === 'Fatal') throw new Error('The host’s own mistake')
          return chains.includes('solana:devnet')
        },
      },
    )
    expect(ids(keybay)).toEqual(['wallet-standard:filtered', 'wallet-standard:fine'])
    move(['solana:mainnet'])
    expect(ids(keybay)).toEqual(['wallet-standard:fine'])
    move(['solana:devnet'])
    expect(ids(keybay)).toEqual(['wallet-standard:fine', 'wallet-standard:filtered'])
  })
})

describe('wallets of the same name', () => {
  it('are one entry, the first; the second takes its place when it leaves', () => {
    const [first, second, third] = [mockWallet(), mockWallet(), mockWallet()]
    const leave = register(first.wallet)
    register(second.wallet, third.wallet)
    const keybay = open()
    expect(ids(keybay)).toEqual(['wallet-standard:mock'])
    expect(find(keybay, 'wallet-standard:mock').wallet).toBe(first.wallet)
    leave()
    expect(ids(keybay)).toEqual(['wallet-standard:mock'])
    expect(find(keybay, 'wallet-standard:mock').wallet).toBe(second.wallet)
  })
  it('take turns too when the first loses a feature, and the first waits when it has it again', () => {
    const first = changing('Twin')
    const second = mockWallet({ name: 'Twin' })
    register(first.wallet)
    const leave = register(second.wallet)
    const keybay = open()
    expect(find(keybay, 'wallet-standard:twin').wallet).toBe(first.wallet)
    first.lose('solana:signTransaction')
    expect(find(keybay, 'wallet-standard:twin').wallet).toBe(second.wallet)
    first.regain()
    expect(find(keybay, 'wallet-standard:twin').wallet).toBe(second.wallet)
    leave()
    expect(find(keybay, 'wallet-standard:twin').wallet).toBe(first.wallet)
  })
  it('do not inherit a connection: it closes, and the new wallet is asked silently', async () => {
    const [first, second] = [mockWallet(), mockWallet()]
    const leave = register(first.wallet)
    register(second.wallet)
    const keybay = open()
    const { accounts } = await keybay.connect('wallet-standard:mock')
    const closed = vi.fn()
    keybay.on('connection:closed', closed)
    leave()
    await settle()
    expect(closed).toHaveBeenCalledWith({ connectorId: 'wallet-standard:mock', by: 'wallet' })
    expect(keybay.connections.list().flatMap(one => one.accounts)).not.toContain(accounts[0])
    expect(second.requests).toEqual([{ feature: 'standard:connect', silent: true }])
    expect(first.listeners).toBe(0)
  })
  it('do not spoil what is listed when one object is registered twice, and only the first may take it away', () => {
    const mock = mockWallet()
    const keybay = open()
    ids(keybay)
    const leave = register(mock.wallet)
    register(mock.wallet)()
    expect(ids(keybay)).toEqual(['wallet-standard:mock'])
    expect(mock.listeners).toBe(1)
    leave()
    expect(ids(keybay)).toEqual([])
  })
})
