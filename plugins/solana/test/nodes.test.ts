// @vitest-environment happy-dom
/** Tests the user's own node, chosen while the page runs. */
import { afterEach, expect, it } from 'vitest'
import {
  type BadNode,
  badNode,
  type Host,
  type Reply,
  refusal,
  reply,
  result,
  setUpChain,
  TestClock,
} from './support.js'

const ADDRESS = '11111111111111111111111111111111'
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const setup = setUpChain()
const { closing } = setup
afterEach(() => localStorage.clear())
function open(): Promise<Host> {
  return setup.open({ clock: new TestClock() })
}

async function getNodes({ solana }: Host) {
  return (await solana.steps()).nodes
}
/** Reports this chain's genesis hash, and 7 lamports for every account. */
async function getNode(genesisHash: unknown): Promise<BadNode> {
  const answer: Reply = (call, response) =>
    reply(response, result(call, call.method === 'getGenesisHash' ? genesisHash : { context: { slot: 5 }, value: 7 }))
  const node = await badNode(answer)
  closing.push(node.close)
  return node
}

it('a user’s own node is used alone, emitted, stored on this device, and removable', async () => {
  const keybay = await open()
  const node = await getNode('GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W')
  const nodes = await getNodes(keybay)
  const changes: string[] = []
  keybay.on('network:changed', ({ chain: named }) => changes.push(named))
  const seen: bigint[] = []
  const saw = async (balance: bigint) => expect.poll(() => seen.at(-1)).toBe(balance)
  closing.push(keybay.solana.watchBalance(ADDRESS, balance => seen.push(balance)))
  const before = await keybay.solana.getBalance(ADDRESS)
  await saw(before)

  await nodes.set(` ${node.url} `)
  expect(await nodes.get()).toBe(`${node.url}/`)
  expect((await keybay.solana.network()).rpcUrls).toEqual([`${node.url}/`])
  expect(await keybay.solana.getBalance(ADDRESS)).toBe(7n)
  await saw(7n)
  expect(changes).toEqual(['solana:localnet'])

  const later = await open()
  expect(await later.solana.getBalance(ADDRESS)).toBe(7n)
  await (await getNodes(later)).remove()
  expect(await later.solana.getBalance(ADDRESS)).toBe(before)
  expect(await (await getNodes(await open())).get()).toBeUndefined()
  expect(await nodes.get(), 'of another page until it is opened again').toBe(`${node.url}/`)
})
it('a user’s own node applies to one network, and other networks keep their nodes', async () => {
  const keybay = await open()
  const nodes = await getNodes(keybay)
  const node = await getNode(MAINNET)
  await nodes.set(node.url, { networkId: 101 })
  expect((await keybay.solana.network(101)).rpcUrls).toEqual([`${node.url}/`])
  expect((await keybay.solana.network()).rpcUrls).toEqual([setup.chain.url])
  await expect(nodes.set(node.url, { networkId: 999 })).rejects.toMatchObject({ code: 'unsupported_chain' })
})
it.each([
  '',
  'rpc.example',
  'http://rpc.example',
  'http://localhost.example',
  'ws://localhost:8900',
  'https://user:password@rpc.example',
  'https://rpc.example/#key',
  `https://rpc.example/${'a'.repeat(2048)}`,
])('refuses a user’s own node with a URL that a browser cannot reach or would truncate: %s', async url => {
  const keybay = await open()
  await expect((await getNodes(keybay)).set(url)).rejects.toMatchObject({ code: 'rpc_url_invalid' })
})
it('refuses a user’s own node of another chain, of an unknown chain, or without a response, and changes nothing', async () => {
  const keybay = await open()
  const nodes = await getNodes(keybay)
  const [mainnet, nonsense] = [await getNode(MAINNET), await getNode(7)]
  const wrong = { code: 'rpc_wrong_network', details: { other: 'mainnet-beta' } }
  await expect(nodes.set(mainnet.url)).rejects.toMatchObject(wrong)
  await expect(nodes.set(setup.chain.url, { networkId: 101 })).rejects.toMatchObject({ code: 'rpc_wrong_network' })
  await expect(nodes.set(nonsense.url)).rejects.toMatchObject({ code: 'rpc_malformed' })
  const closed = await badNode((call, response) => reply(response, refusal(call, -32601, 'no such method')))
  closing.push(closed.close)
  await expect(nodes.set(closed.url)).rejects.toMatchObject({ code: 'rpc_refused' })
  expect(await nodes.get()).toBeUndefined()
  expect((await keybay.solana.network()).rpcUrls).toEqual([setup.chain.url])
  const stop = new AbortController()
  stop.abort()
  await expect(nodes.set(setup.chain.url, { signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' })
})
it.each(['{"104":"http://rpc.example"}', '{"104":7}', '[7]', 'null', '{'])(
  'ignores an invalid stored node: %s',
  async stored => {
    await (await getNodes(await open())).set(setup.chain.url)
    const [key = ''] = Object.keys(localStorage).filter(name => name.endsWith('solana:nodes'))
    localStorage.setItem(key, stored)
    const keybay = await open()
    expect(await (await getNodes(keybay)).get()).toBeUndefined()
    expect((await keybay.solana.network()).rpcUrls).toEqual([setup.chain.url])
  },
)
