import { afterEach, expect, it } from 'vitest'
import { badNode, host, type Reply, refusal, reply, result, TestClock, testWallet } from './support.js'

const ADDRESS = '11111111111111111111111111111111'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function setUp(answer: Reply) {
  const node = await badNode(answer)
  const clock = new TestClock()
  const keybay = await host({ url: node.url, clock })
  closing.push(node.close, keybay.dispose)
  return { node, clock, keybay }
}
const balance = { context: { slot: 5 }, value: 7 }

it('[S9.10] retries a failed RPC call three times, after 150, 300 and 600 ms', async () => {
  const { node, clock, keybay } = await setUp((_, response) => reply(response, 'down', 503))
  const request = keybay.solana.getBalance(ADDRESS)
  const failed = expect(request).rejects.toMatchObject({ code: 'rpc_unreachable', status: 503 })
  for (const ms of [150, 300, 600]) {
    await clock.set(ms)
    expect(clock.lengths).toEqual([ms])
    clock.move(ms)
  }
  await failed
  expect(node.calls).toHaveLength(4)
  expect(clock.lengths).toEqual([])
})
it('[S9.10] times out each RPC attempt after 10 s', async () => {
  const { node, clock, keybay } = await setUp((call, response, turn) => {
    if (turn === 2) reply(response, result(call, balance)) // The first never gets a response.
  })
  const request = keybay.solana.getBalance(ADDRESS)
  await node.got(1)
  clock.move(9_999)
  expect(clock.lengths).toEqual([10_000])
  clock.move(1)
  await clock.pass(150)
  expect(await request).toBe(7n)
  expect(node.calls).toHaveLength(2)
})
it('emits each try of an RPC call with its time and outcome, without its parameters and without the URL', async () => {
  const { clock, keybay } = await setUp((call, response, turn) =>
    turn === 1 ? reply(response, 'down', 503) : reply(response, result(call, balance)),
  )
  const events: unknown[] = []
  keybay.on('rpc:called', event => events.push(event))
  const request = keybay.solana.getBalance(ADDRESS)
  await clock.pass(150)
  await request
  const call = { networkId: expect.any(Number), method: 'getBalance', node: 0, ms: 0 }
  expect(events).toEqual([{ ...call, errorCode: 'rpc_unreachable' }, call])
})
it.each([
  ['too many requests', (call: Parameters<Reply>[0]) => [refusal(call, 429), 429]],
  ['a server error', () => ['<html>', 502]],
  ['a node that is behind', (call: Parameters<Reply>[0]) => [refusal(call, -32005), 200]],
  ['a broken connection', () => undefined],
] as const)('[S9.10] retries an RPC call after %s', async (_, first) => {
  const { clock, keybay } = await setUp((call, response, turn) => {
    const [body, status] = first(call) ?? []
    if (turn === 1 && body === undefined) response.destroy()
    else if (turn === 1) reply(response, body, Number(status))
    else reply(response, result(call, balance))
  })
  const request = keybay.solana.getBalance(ADDRESS)
  await clock.pass(150)
  expect(await request).toBe(7n)
})
it('does not retry a permanent RPC refusal, and includes the node’s message in the error', async () => {
  const { node, keybay } = await setUp((call, response) => reply(response, refusal(call, -32602, 'Invalid param')))
  await expect(keybay.solana.getBalance(ADDRESS)).rejects.toMatchObject({
    code: 'rpc_refused',
    message: 'The chain refused the request: Invalid param',
    details: { code: -32602 },
  })
  expect(node.calls).toHaveLength(1)
})
it('retries a truncated RPC response, and finally rejects with rpc_malformed', async () => {
  const { node, clock, keybay } = await setUp((_, response) => reply(response, '{"jsonrpc":"2.0","result":{"con'))
  const failed = expect(keybay.solana.getBalance(ADDRESS)).rejects.toMatchObject({ code: 'rpc_malformed' })
  for (const ms of [150, 300, 600]) await clock.pass(ms)
  await failed
  expect(node.calls).toHaveLength(4)
})
it.each([
  '{}',
  '[]',
  'null',
  '{"jsonrpc":"2.0","id":999,"result":{"value":7}}',
  '{"jsonrpc":"2.0","id":1,"result":null}',
  '{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":"seven"}}',
  '{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":-1}}',
  '{"jsonrpc":"2.0","id":1,"result":{"context":{},"value":1.5}}',
])('rejects the RPC response %s as malformed', async text => {
  const { keybay } = await setUp((_, response) => reply(response, text))
  await expect(keybay.solana.getBalance(ADDRESS)).rejects.toMatchObject({ code: 'rpc_malformed' })
})
it('reads a balance with all 64 bits', async () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5,"apiVersion":"2.0"},"value":18446744073709551615}}'
  const { keybay } = await setUp((_, response) => reply(response, text))
  expect(await keybay.solana.getBalance(ADDRESS)).toBe(2n ** 64n - 1n)
})
it('stops an RPC call at an abort, during a request and between two retries', async () => {
  const { node, clock, keybay } = await setUp((_, response, turn) => {
    if (turn > 1) reply(response, 'down', 500)
  })
  const first = new AbortController()
  const hanging = keybay.solana.getBalance(ADDRESS, { signal: first.signal })
  await node.got(1)
  first.abort()
  await expect(hanging).rejects.toMatchObject({ code: 'aborted' })
  const second = new AbortController()
  const waiting = keybay.solana.getBalance(ADDRESS, { signal: second.signal })
  await clock.set(150)
  second.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  expect(node.calls).toHaveLength(2)
  expect(clock.lengths).toEqual([])
})
it('does not retry an airdrop, because the node would grant both', async () => {
  const { node, keybay } = await setUp((_, response) => response.destroy())
  await expect(keybay.solana.requestAirdrop(ADDRESS, 1n)).rejects.toMatchObject({ code: 'rpc_unreachable' })
  expect(node.calls).toHaveLength(1)
})
it('tries the next RPC URL after a failure, and quotes no URL in errors', async () => {
  const [bad, good] = await Promise.all([
    badNode((_, response) => reply(response, 'down', 500)),
    badNode((call, response) => reply(response, result(call, balance))),
  ])
  closing.push(bad.close, good.close)
  const clock = new TestClock()
  const record = await (await host({ url: bad.url })).solana.network()
  const networks = [{ ...record, cluster: 'own', privateCustomerRpcUrls: [`${bad.url}/secret`], rpcUrls: [good.url] }]
  const keybay = await host({ url: bad.url, clock, solana: { networks } })
  const request = keybay.solana.getBalance(ADDRESS)
  await clock.pass(150)
  expect(await request).toBe(7n)
  await good.close()
  const failing = keybay.solana.getBalance(ADDRESS)
  const text = failing.catch(error => JSON.stringify([error, String(error), String(error.cause)]))
  for (const ms of [150, 300, 600]) await clock.pass(ms)
  expect(await text).toContain('rpc_unreachable')
  expect(await text).not.toContain('secret')
})
it('[S9.2] asks for the fee five times while the chain returns none, and signs nothing without a fee', async () => {
  const wallet = testWallet()
  const node = await badNode((call, response) => {
    const latest = { blockhash: ADDRESS, lastValidBlockHeight: 150 }
    reply(response, result(call, { context: { slot: 5 }, value: call.method === 'getLatestBlockhash' ? latest : null }))
  })
  const clock = new TestClock()
  const keybay = await host({ url: node.url, clock, wallets: [wallet] })
  closing.push(node.close, keybay.dispose)
  const failed = expect(keybay.solana.send({ to: ADDRESS, lamports: 1n })).rejects.toMatchObject({
    code: 'fee_unknown',
  })
  for (const ms of [150, 300, 600, 1200]) await clock.pass(ms)
  await failed
  expect(node.calls.filter(({ method }) => method === 'getFeeForMessage')).toHaveLength(5)
  expect(wallet.asked).toHaveLength(0)
})
