/** Tests that the networks of an environment’s settings reach the Solana plugin, with its first call and not before. */
import { account } from '@keybay/account'
import { type Clock, createKeybay } from '@keybay/kernel'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { type SolanaOptions, solana } from '@keybay/solana'
import { Keypair } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localNetwork } from '../../src/index.js'
import { network } from './dom.js'
import { fresh, movableClock, settings, startWorld, type World } from './support.js'

/** URL of the known record. */
const KNOWN = 'http://localhost:8899'
const address = Keypair.generate().publicKey.toBase58()
let chain: Chain
let world: World
beforeAll(async () => {
  chain = await startChain({ port: 0 })
  world = await startWorld({ environments: { local: { ...settings, networks: [localNetwork(chain.url)] } } })
})
afterAll(() => Promise.all([world.stop(), chain.stop()]))
beforeEach(fresh)
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

interface Options extends SolanaOptions {
  readonly clock?: Clock
}

function open({ clock, ...options }: Options = {}) {
  const keybay = createKeybay({
    appName: 'Acme',
    baseApiUrl: world.api.internalUrl,
    logLevel: 'silent',
    ...(clock && { clock }),
    plugins: [account(), solana({ cluster: 'localnet', ...options })],
  })
  closing.push(keybay.dispose)
  return keybay
}

function getRequests(): readonly string[] {
  return network.sent.map(({ url }) => (url.endsWith('/settings') ? 'settings' : new URL(url).origin))
}

describe('[S3.2] the networks of the environment', () => {
  it('a page that opens requests no settings, and the first call of a network requests them once', async () => {
    const { solana, connectors } = open()
    closing.push(solana.networks.subscribe(() => {}))
    connectors.list()
    expect(solana.networks.current()?.networkId).toBe(104)
    await solana.steps()
    expect(getRequests()).toEqual([])
    expect(await Promise.all([solana.getBalance(address), solana.getBalance(address)])).toEqual([0n, 0n])
    expect(await solana.network()).toMatchObject({ networkId: 104, rpcUrls: [chain.url] })
    expect(await solana.network(101)).toMatchObject({ rpcUrls: ['https://api.mainnet-beta.solana.com'] })
    expect(getRequests()).toEqual(['settings', chain.url, chain.url])
  })
  it('while the API is away the known network is used, and another one requests the settings again', async () => {
    network.down = true
    const { solana } = open()
    expect((await solana.network()).rpcUrls).toEqual([KNOWN])
    network.down = false
    await solana.network(103)
    // The second one, without credentials, asks whether the API refuses the page's origin.
    expect(getRequests()).toEqual(['settings', 'settings', 'settings'])
  })
  it('an API that does not respond delays the first call by five seconds', async () => {
    const clock = movableClock()
    let isAsked = () => {}
    const asked = new Promise<void>(resolve => {
      isAsked = resolve
    })
    network.answer = ({ url }) => {
      if (!url.endsWith('/settings')) return undefined
      isAsked()
      return new Promise(() => {})
    }
    const { solana } = open({ clock })
    const found = solana.network()
    await asked
    clock.move(5000)
    expect((await found).rpcUrls).toEqual([KNOWN])
  })
  it.each(['javascript:alert(1)', 'https://user:password@node.example'])(
    'no record of settings with the node %s is used',
    async url => {
      const { body } = await world.call('/settings')
      network.answer = () => Response.json({ ...Object(body), networks: [localNetwork(url)] })
      expect((await open().solana.network()).rpcUrls).toEqual([KNOWN])
      expect(getRequests()).toEqual(['settings'])
    },
  )
  it('records and nodes of the app need no settings', async () => {
    const own = [{ ...localNetwork('https://node.app.example'), privateCustomerRpcUrls: [] }]
    expect((await open({ networks: own }).solana.network()).rpcUrls).toEqual(['https://node.app.example'])
    const { solana } = open({ endpoints: { localnet: { rpcUrl: chain.url } } })
    expect(await solana.getBalance(address)).toBe(0n)
    expect(getRequests()).toEqual([chain.url])
  })
  it('an app without the account plugin requests no settings', async () => {
    const keybay = createKeybay({
      appName: 'Acme',
      baseApiUrl: world.api.internalUrl,
      logLevel: 'silent',
      plugins: [solana({ cluster: 'localnet' })],
    })
    closing.push(keybay.dispose)
    expect((await keybay.solana.network()).rpcUrls).toEqual([KNOWN])
    expect(getRequests()).toEqual([])
  })
})
