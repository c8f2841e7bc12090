/** From signing on: which nodes are called and how often, what a reload continues with, and the final result. */
import { describe, expect, it, vi } from 'vitest'
import type { TransactionRecord } from '../src/index.js'
import {
  badNode,
  FEE,
  type Host,
  refusal,
  reply,
  result,
  SOL,
  setUpChain,
  stranger,
  TestClock,
  testWallet,
} from './support.js'

const ADDRESS = '11111111111111111111111111111111'
const setup = setUpChain()
const { closing, open, rich, getHeld } = setup

describe('several nodes', () => {
  const endpoint = (...rpcUrl: readonly string[]) => ({ solana: { endpoints: { localnet: { rpcUrl } } } })
  it('asks a node that is down once, and lands the transfer over the other node', async () => {
    let requests = 0
    const down = await badNode((_, response) => {
      requests += 1
      reply(response, 'down', 503)
    })
    closing.push(down.close)
    const { solana } = await rich(endpoint(down.url, setup.chain.url))
    const to = stranger()
    await solana.send({ to, lamports: SOL })
    expect(await getHeld(to)).toBe(SOL)
    expect(requests).toBe(1)
  })
  it('does not report a transaction as expired while a node that may know more does not respond', async () => {
    const clock = new TestClock()
    const latest = { blockhash: ADDRESS, lastValidBlockHeight: 150 }
    const ahead = await badNode((call, response) => {
      if (call.method === 'getBlockHeight') reply(response, result(call, 151))
      else if (call.method === 'getSignatureStatuses')
        reply(response, result(call, { context: { slot: 1 }, value: [null] }))
      else reply(response, result(call, { context: { slot: 1 }, value: latest }))
    })
    const silent = await badNode((_, response) => reply(response, 'down', 503))
    closing.push(ahead.close, silent.close)
    vi.stubGlobal('WebSocket', undefined)
    const { solana } = await rich({ ...endpoint(ahead.url, silent.url), clock })
    const { confirm } = await solana.steps()
    const signed = { networkId: 104, from: ADDRESS, transaction: new Uint8Array(), signature: '1'.repeat(64) }
    const { build } = await (await rich()).solana.steps()
    const { transaction } = await build({ to: stranger(), lamports: 1n, from: stranger() })
    const waiting = confirm({ ...signed, transaction, lastValidBlockHeight: 150 })
    const failed = expect(waiting).rejects.toMatchObject({ details: { state: 'dropped' } })
    await clock.pass(400)
    for (let look = 0; look < 3; look++) await clock.pass(1000)
    await clock.set(1000)
    clock.move(60_000)
    await failed
    await silent.close()
    const sole = await rich({ ...endpoint(ahead.url), clock })
    const alone = (await sole.solana.steps()).confirm({ ...signed, transaction, lastValidBlockHeight: 150 })
    const expired = expect(alone).rejects.toMatchObject({ details: { state: 'expired' } })
    await clock.pass(400)
    await expired
  })
})
it('runs the preflight on the node unless the host turns it off', async () => {
  const { solana } = await rich()
  const sent: unknown[] = []
  const real = fetch
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => {
    const { method, params } = JSON.parse(String(args[1]?.body))
    if (method === 'sendTransaction') sent.push(params[1].skipPreflight)
    return real(...args)
  })
  await solana.send({ to: stranger(), lamports: SOL })
  await solana.send({ to: stranger(), lamports: SOL, preflight: false })
  expect(sent).toEqual([false, true])
})

describe('pending transactions in storage', () => {
  /** Persists like browser storage; two hosts are a page before and after its reload. */
  const storage = () => {
    const values = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    })
    return values
  }
  /** Leaves the page as soon as the transaction is sent. */
  const sendAndLeave = async (keybay: Host, to: string) => {
    const leaving = new AbortController()
    const onStep = ({ step }: { readonly step: string }) => step === 'sent' && leaving.abort()
    const sent = keybay.solana.send({ to, lamports: SOL, onStep, signal: leaving.signal })
    await expect(sent).rejects.toMatchObject({ code: 'aborted' })
    keybay.dispose()
  }
  const ended = async (solana: Awaited<ReturnType<typeof rich>>['solana'], count: number) => {
    const { transactions } = await solana.steps()
    await transactions.resume()
    expect(transactions.list()).toHaveLength(count)
    return transactions.list()
  }
  it('[S1.18] a reload before confirmation continues with the same bytes: lands once, with one signature', async () => {
    const stored = storage()
    const { keybay, wallet } = await rich()
    const to = stranger()
    setup.chain.faults.add({ type: 'lose' }) // Accepted, but never executed.
    await sendAndLeave(keybay, to)
    expect(JSON.stringify([...stored])).toContain('solana:pending')
    setup.chain.faults.clear()
    const after = await open()
    expect(await ended(after.solana, 1)).toMatchObject([{ status: 'confirmed', transfers: [{ to, amount: SOL }] }])
    expect(await getHeld(to)).toBe(SOL)
    expect(await getHeld(wallet.address)).toBe(9n * SOL - FEE)
    expect(wallet.asked).toHaveLength(1)
    expect(JSON.stringify([...stored])).not.toContain('solana:pending')
  })
  it('reports a transaction that expired before the reload as expired, and removes it from storage', async () => {
    const stored = storage()
    const { keybay, wallet } = await rich()
    setup.chain.faults.add({ type: 'lose' })
    await sendAndLeave(keybay, stranger())
    setup.chain.faults.clear()
    setup.chain.advanceSlots(160)
    const after = await open()
    const [record]: readonly TransactionRecord[] = await ended(after.solana, 1)
    expect(record).toMatchObject({ status: 'expired', error: { message: 'Transaction timed out' } })
    expect(await getHeld(wallet.address)).toBe(10n * SOL)
    expect(JSON.stringify([...stored])).not.toContain('solana:pending')
  })
  it('ignores foreign values under the pending key, and sends a transfer while storage is blocked', async () => {
    const stored = storage()
    const { solana } = await rich()
    const name = 'keybay:local:solana:pending'
    const foreign = '[{"transaction":"%","signature":"x","from":"y","signedAt":1,"networkId":104}]'
    for (const text of ['null', '{', '[1,{}]', foreign]) {
      stored.set(name, text)
      await ended(solana, 0)
    }
    const fail = () => {
      throw new Error('blocked')
    }
    vi.stubGlobal('localStorage', { getItem: fail, setItem: fail, removeItem: () => {} })
    const to = stranger()
    await solana.send({ to, lamports: SOL })
    expect(await getHeld(to)).toBe(SOL)
  })
  it('refuses to send the same bytes twice, from the same tab or another', async () => {
    storage()
    setup.chain.faults.add({ type: 'pause-slots' }) // All use the same blockhash.
    setup.chain.faults.add({ type: 'lose', times: 1 })
    const wallet = testWallet()
    const tab = async () => (await rich({ wallets: [wallet] })).solana
    const [first, second] = [await tab(), await tab()]
    await first.requestAirdrop(wallet.address, 10n * SOL)
    const to = stranger()
    const refused = { details: { reason: 'the same transaction was signed a moment ago' } }
    let landing: Promise<unknown> | undefined
    const sending = new Promise<unknown>(resolve => {
      const sendAgain = () => resolve(second.send({ to, lamports: SOL }).catch((error: unknown) => error))
      landing = first.send({ to, lamports: SOL, onStep: ({ step }) => step === 'sent' && sendAgain() })
    })
    expect(await sending).toMatchObject(refused)
    await landing
    const third = await tab()
    await expect(third.send({ to, lamports: SOL })).rejects.toMatchObject(refused)
    expect(await getHeld(to)).toBe(SOL)
  })
})
it('network:changed names the connected wallets that do not support the new network', async () => {
  const [wallet, local] = [testWallet(['solana:devnet', 'solana:localnet']), testWallet(['solana:localnet'])]
  const keybay = await open({ wallets: [wallet, local] })
  const changes: unknown[] = []
  keybay.on('network:changed', ({ chain: name, without }) => changes.push([name, without]))
  await keybay.solana.getBalance(wallet.address)
  const waitForChange = () => new Promise<void>(resolve => closing.push(keybay.solana.networks.subscribe(resolve)))
  for (const id of [103, 104]) {
    const changed = waitForChange()
    keybay.solana.networks.select(id)
    await changed
  }
  expect(changes).toEqual([
    ['solana:devnet', [local.connector.id]],
    ['solana:localnet', []],
  ])
})
it('does not retry a call that the node refuses permanently, whatever the error text', async () => {
  const node = await badNode((call, response) => reply(response, refusal(call, -32601, 'Method not found')))
  closing.push(node.close)
  const { solana } = await rich({ solana: { endpoints: { localnet: { rpcUrl: node.url } } } })
  await expect(solana.getBalance(ADDRESS)).rejects.toMatchObject({ code: 'rpc_refused' })
  expect(node.calls).toHaveLength(1)
})
