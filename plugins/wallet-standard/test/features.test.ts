// @vitest-environment happy-dom
import type { FeatureName } from '@keybay/kernel'
import { mockWallet, settle } from '@keybay/kernel/testing'
import type { Wallet } from '@wallet-standard/base'
import { describe, expect, it, vi } from 'vitest'
import { find, type Host, ids, open, register, twist } from './page.js'

/** A wallet whose features and chains the test changes. A deaf wallet keeps calling listeners that unsubscribed. */
function changingWallet(name: string, deaf = false) {
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

describe('required features', () => {
  it.each(needed)('[S3.10] leaves out a wallet without %s', feature => {
    register(mockWallet({ name: 'Lacking', without: [feature] }).wallet, mockWallet({ name: 'Whole' }).wallet)
    expect(ids(open())).toEqual(['wallet-standard:whole'])
  })
  it.each([
    ['connect-only', true],
    ['connect-and-sign', false],
  ] as const)('[S3.10] with authMode %s, lists a wallet that cannot sign messages: %s', (authMode, listed) => {
    register(mockWallet({ name: 'Mute', without: ['solana:signMessage'] }).wallet, mockWallet({ name: 'Whole' }).wallet)
    const keybay = open({ authMode })
    expect(ids(keybay)).toEqual(listed ? ['wallet-standard:mute', 'wallet-standard:whole'] : ['wallet-standard:whole'])
  })
  it('[S3.10] removes a wallet that loses a required feature, and lists the wallet again when the feature returns', () => {
    const { wallet, lose, regain } = changingWallet('Changing')
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
  it('ignores a listener of an earlier registration of the same wallet', () => {
    const { wallet, lose, regain } = changingWallet('Deaf', true)
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
  it('lists no wallet after dispose, even if a wallet keeps emitting changes', () => {
    const { wallet, lose, regain } = changingWallet('Deaf', true)
    register(wallet)
    const keybay = open()
    ids(keybay)
    keybay.dispose()
    lose('solana:signTransaction')
    regain()
    expect(ids(keybay)).toEqual([])
  })
  it('[S3.10] lists a wallet once it gains the required feature', () => {
    const { wallet, lose, regain } = changingWallet('Growing')
    lose('solana:signMessage')
    register(wallet)
    const keybay = open({ authMode: 'connect-and-sign' })
    expect(ids(keybay)).toEqual([])
    regain()
    expect(ids(keybay)).toEqual(['wallet-standard:growing'])
  })
  it('closes the connection of a wallet that loses a required feature', async () => {
    const { wallet, lose } = changingWallet('Losing')
    register(wallet)
    const keybay = open()
    await keybay.connect('wallet-standard:losing')
    lose('solana:signTransaction')
    await settle()
    expect(keybay.connections.list()).toEqual([])
  })
  it('makes a new connector snapshot when chains change, and none when nothing changed', async () => {
    const { wallet, mock, move } = changingWallet('Moving')
    register(wallet, mockWallet({ name: 'Second' }).wallet)
    const keybay = open()
    const before = keybay.connectors.list()
    await settle()
    const onChange = vi.fn()
    keybay.connectors.subscribe(onChange)
    mock.emit({ chains: wallet.chains })
    mock.emit({ features: wallet.features })
    await settle()
    expect(keybay.connectors.list()).toBe(before)
    move(['solana:mainnet'])
    await settle()
    expect(keybay.connectors.list()).not.toBe(before)
    expect(ids(keybay)).toEqual(['wallet-standard:moving', 'wallet-standard:second'])
    expect(find(keybay, 'wallet-standard:moving').wallet.chains).toEqual(['solana:mainnet'])
    expect(onChange).toHaveBeenCalledTimes(1)
  })
  it('calls the host’s filter again when chains change, and hides a wallet for which the filter throws', () => {
    const { wallet, move } = changingWallet('Filtered')
    register(wallet, mockWallet({ name: 'Fatal' }).wallet, mockWallet({ name: 'Fine' }).wallet)
    const keybay = open(
      {},
      {
        filter({ name, chains }) {
          if (name === 'Fatal') throw new Error('The host’s filter throws')
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
  /** Reads what a user sees, in place of ids that differ on each page. */
  const read = (keybay: Host) => keybay.connectors.list().map(({ id, name }) => [id.split('~')[0], name])
  const BOTH = ['1', '2'].map(mark => ['wallet-standard:mock', `Mock (${mark})`])

  it('lists two wallets that claim one name, and marks both, whichever came first', async () => {
    const [first, second, third] = [mockWallet(), mockWallet(), mockWallet()]
    register(first.wallet)
    const keybay = open()
    expect(ids(keybay)).toEqual(['wallet-standard:mock'])
    register(second.wallet)
    await expect.poll(() => read(keybay)).toEqual(BOTH)
    expect(new Set(ids(keybay)).size).toBe(2)
    const leave = register(third.wallet)
    await expect.poll(() => read(keybay)).toEqual([...BOTH, ['wallet-standard:mock', 'Mock (3)']])
    leave()
    expect(read(keybay)).toEqual(BOTH)
    const [one, two] = keybay.connectors.list()
    expect(one?.kind === 'wallet' && one.wallet).toBe(first.wallet)
    expect(two?.kind === 'wallet' && two.wallet).toBe(second.wallet)
  })
  it('connects no wallet silently whose name another one claims, whichever of them comes first', async () => {
    const environmentId = 'claimed'
    const genuine = mockWallet()
    const leave = register(genuine.wallet)
    const before = open({ environmentId })
    await before.connect('wallet-standard:mock')
    before.dispose()
    leave()
    const impostor = mockWallet()
    await impostor.wallet.features['standard:connect']?.connect()
    register(impostor.wallet)
    const keybay = open({ environmentId })
    ids(keybay)
    // The impostor is alone, so nothing tells it from the wallet that was connected.
    await expect.poll(() => keybay.connections.list()).toHaveLength(1)
    const closed = vi.fn()
    keybay.on('connection:closed', closed)
    register(genuine.wallet)
    await expect.poll(() => read(keybay)).toEqual(BOTH)
    await settle()
    expect(closed).toHaveBeenCalledWith({ connectorId: 'wallet-standard:mock', by: 'wallet' })
    expect(keybay.connections.list()).toEqual([])
    const chosen = keybay.connectors.list()[1]?.id ?? ''
    await keybay.connect(chosen)
    keybay.dispose()
    const next = open({ environmentId })
    await expect.poll(() => read(next)).toEqual(BOTH)
    await settle()
    expect(ids(next)).not.toContain(chosen)
    expect(next.connections.list()).toEqual([])
  })
  it('lists a wallet under its name again on the next page, without the other one', async () => {
    const [first, second] = [mockWallet(), mockWallet()]
    const leave = register(first.wallet)
    register(second.wallet)
    const keybay = open()
    await expect.poll(() => read(keybay)).toEqual(BOTH)
    leave()
    expect(read(keybay)).toEqual(BOTH.slice(1))
    expect(read(open())).toEqual([['wallet-standard:mock', 'Mock']])
  })
  it('a wallet that gets back a feature is marked if another one has its name by then', async () => {
    const first = changingWallet('Twin')
    register(first.wallet)
    const keybay = open()
    first.lose('solana:signTransaction')
    register(mockWallet({ name: 'Twin' }).wallet)
    expect(read(keybay)).toEqual([['wallet-standard:twin', 'Twin']])
    first.regain()
    await expect.poll(() => read(keybay)).toHaveLength(2)
    expect(read(keybay).map(([, name]) => name)).toEqual(['Twin (1)', 'Twin (2)'])
  })
  it('lists a wallet object that registers twice only once, until its first registration ends', () => {
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
