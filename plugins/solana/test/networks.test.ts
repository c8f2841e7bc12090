// @vitest-environment happy-dom
import { createKeybay, type KeybayError } from '@keybay/kernel'
import { solanaNetworksProblem } from '@keybay/kernel/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chainOf, type SolanaOptions, solana } from '../src/index.js'
import { RECORDS } from '../src/records.js'

declare global {
  interface Window {
    readonly happyDOM: { setURL(url: string): void }
  }
}

function make(options: SolanaOptions = {}) {
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [solana(options)] })
  closing.push(keybay.dispose)
  return keybay.solana
}
const closing: (() => void)[] = []

function at(url: string) {
  return window.happyDOM.setURL(url)
}
beforeEach(() => at('https://shop.example/'))
afterEach(() => {
  for (const close of closing.splice(0)) close()
  localStorage.clear()
})
/** Subscribes as a page does, and waits until the stored choice is restored. */
function changed(networks: ReturnType<typeof make>['networks']) {
  return new Promise<void>(resolve => closing.push(networks.subscribe(resolve)))
}

describe('networks', () => {
  it('[S3.2] [S9.6] the known networks are mainnet 101, testnet 102, devnet 103 and localnet, with full records', async () => {
    const { networks, network } = make()
    expect(networks.list().map(({ networkId, cluster }) => [networkId, cluster])).toEqual([
      [101, 'mainnet-beta'],
      [102, 'testnet'],
      [103, 'devnet'],
      [104, 'localnet'],
    ])
    for (const { networkId, cluster, isTestnet } of networks.list()) {
      const record = await network(networkId)
      expect(solanaNetworksProblem([record])).toBeUndefined()
      expect(record).toMatchObject({ networkId, chainId: networkId, cluster, isTestnet })
      expect(record.nativeCurrency).toMatchObject({ decimals: 9, symbol: 'SOL', pricingProviderTokenId: 'solana' })
      expect(record.iconUrls[0]).toMatch(/^data:image/)
    }
    expect(await network(101)).toMatchObject({
      genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      rpcUrls: ['https://api.mainnet-beta.solana.com'],
      blockExplorerUrls: ['https://explorer.solana.com/'],
      isTestnet: false,
    })
    expect(networks.list().map(chainOf)).toEqual([
      'solana:mainnet',
      'solana:testnet',
      'solana:devnet',
      'solana:localnet',
    ])
  })
  it('[S9.6] selects mainnet-beta by default', () => {
    expect(make().networks.current()?.cluster).toBe('mainnet-beta')
    expect(make({ cluster: 'devnet' }).networks.current()?.cluster).toBe('devnet')
  })
  it.each(['http://localhost:4000/', 'http://app.localhost:4000/', 'http://127.0.0.1/', 'http://[::1]:4000/'])(
    "[S9.13] selects the demo app's chain by default on %s",
    async url => {
      at(url)
      const { networks, network } = make()
      expect(networks.current()?.cluster).toBe('localnet')
      expect(networks.serverCurrent()?.cluster).toBe('mainnet-beta')
      expect((await network()).rpcUrls).toEqual(['http://localhost:8899'])
      expect(make({ cluster: 'devnet' }).networks.current()?.cluster).toBe('devnet')
    },
  )
  it.each(['https://localhost.example/', 'https://127.example/', 'https://1127.0.0.1.example/'])(
    '[S9.13] does not select the demo app’s chain by default on %s',
    url => {
      at(url)
      expect(make().networks.current()?.cluster).toBe('mainnet-beta')
    },
  )
  it('[S9.6] stores and restores the selected network for each environment separately', async () => {
    const first = make()
    const restored = changed(first.networks)
    expect(first.networks.select(103)).toBe(true)
    await restored
    expect(first.networks.current()?.networkId).toBe(103)
    expect({ ...localStorage }).toEqual({ 'keybay:local:solana': '103' })
    const second = make()
    expect(second.networks.current()?.networkId).toBe(101)
    await changed(second.networks)
    expect(second.networks.current()?.networkId).toBe(103)
  })
  it('[S9.6] a call before the first subscription uses the stored network', async () => {
    localStorage.setItem('keybay:local:solana', '102')
    expect((await make().network()).networkId).toBe(102)
  })
  it('keeps a network selected while the stored selection loads', async () => {
    localStorage.setItem('keybay:local:solana', '102')
    const { networks, network } = make()
    const restored = changed(networks)
    networks.select(103)
    await restored
    expect((await network()).networkId).toBe(103)
  })
  it.each(['999', '"x"', 'null', '{', '[101]'])('ignores an invalid stored network: %s', async stored => {
    localStorage.setItem('keybay:local:solana', stored)
    const { networks, network } = make()
    closing.push(networks.subscribe(() => {}))
    expect((await network()).networkId).toBe(101)
  })
  it('refuses to select an unknown network, and keeps its snapshot', () => {
    const { networks } = make()
    const before = networks.current()
    expect(networks.select(999)).toBe(false)
    expect(networks.current()).toBe(before)
    expect(networks.list()).toBe(networks.list())
  })
  it('uses the RPC URL of the host instead of the default URLs', async () => {
    const { network } = make({ endpoints: { devnet: { rpcUrl: 'https://node.example/key' } } })
    expect(await network(103)).toMatchObject({ rpcUrls: ['https://node.example/key'], privateCustomerRpcUrls: [] })
    expect((await network(102)).rpcUrls).toEqual(['https://api.testnet.solana.com'])
  })
  it('[S8.3] No enabled networks', async () => {
    const { networks, getBalance, send } = make({ networks: [] })
    expect(networks.current()).toBeUndefined()
    const to = '11111111111111111111111111111111'
    await expect(getBalance(to)).rejects.toThrow(/^No enabled networks$/)
    await expect(send({ from: to, to, lamports: 1n })).rejects.toThrow(/^No enabled networks$/)
    const error = await new Promise<KeybayError>(resolve =>
      closing.push(make({ networks: [] }).watchBalance(to, () => {}, resolve)),
    )
    expect(error.message).toBe('No enabled networks')
  })
  it('[S3.2] accepts the known network records as the app’s own networks', async () => {
    expect(await make({ networks: RECORDS }).network(103)).toEqual(RECORDS[2])
  })
  it.each<readonly [string, object]>([
    ['rpcUrls', { rpcUrls: ['javascript:alert(1)'] }],
    ['rpcUrls', { rpcUrls: [] }],
    ['privateCustomerRpcUrls', { privateCustomerRpcUrls: ['https://user:password@node.example/'] }],
    ['blockExplorerUrls', { blockExplorerUrls: ['data:text/html,<script>alert(1)</script>'] }],
    ['iconUrls', { iconUrls: ['file:///icon.png'] }],
    ['networkId', { networkId: 1.5 }],
    ['surprise', { surprise: 1 }],
  ])(
    '[S3.2] networks with a wrong %s fail every call with an error that names the network and lists no address',
    async (field, wrong) => {
      const [mainnet, , devnet] = RECORDS
      if (!mainnet || !devnet) throw new Error('The known networks are missing.')
      const { networks, network, getBalance } = make({ networks: [mainnet, { ...devnet, name: 'Acme', ...wrong }] })
      const problem = `SolanaNetwork.${field} of networks[1] ("Acme"): expected`
      for (const id of [101, 103]) await expect(network(id)).rejects.toThrow(problem)
      await expect(getBalance('11111111111111111111111111111111')).rejects.toMatchObject({ code: 'record_invalid' })
      for (const summary of networks.list())
        expect(Object.keys(summary).sort()).toEqual(['cluster', 'isTestnet', 'name', 'networkId'])
    },
  )
})
