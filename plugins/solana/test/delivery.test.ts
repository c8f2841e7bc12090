/** From signing on: which nodes are called and how often, what a reload continues with, and the final result. */
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { TransactionRecord } from '../src/index.js'
import { badNode, type HostOptions, host, refusal, reply, result, TestClock, testWallet } from './support.js'

const SOL = 1_000_000_000n
const FEE = 5000n
const ADDRESS = '11111111111111111111111111111111'
let chain: Chain
let connection: Connection
const closing: (() => unknown)[] = []
beforeAll(async () => {
  chain = await startChain({ port: 0, slotMs: 50 })
  connection = new Connection(chain.url, 'confirmed')
})
afterAll(() => chain.stop())
beforeEach(() => void vi.stubGlobal('WebSocket', WebSocket))
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  chain.faults.clear()
  vi.unstubAllGlobals()
})

function stranger() {
  return Keypair.generate().publicKey.toBase58()
}

async function held(address: string) {
  return BigInt(await connection.getBalance(new PublicKey(address)))
}

async function rich(options: Partial<HostOptions> = {}) {
  const wallet = testWallet()
  const keybay = await host({ url: chain.url, wsUrl: chain.wsUrl, wallets: [wallet], ...options })
  closing.push(keybay.dispose)
  await connection.requestAirdrop(new PublicKey(wallet.address), Number(10n * SOL))
  return { keybay, wallet, solana: keybay.solana }
}

describe('several nodes', () => {
  const endpoint = (...rpcUrl: readonly string[]) => ({ solana: { endpoints: { localnet: { rpcUrl } } } })
  it('asks a node that is down once, and lands the transfer over the other node', async () => {
    let asked = 0
    const down = await badNode((_, response) => {
      asked += 1
      reply(response, 'down', 503)
    })
    closing.push(down.close)
    const { solana } = await rich(endpoint(down.url, chain.url))
    const to = stranger()
    await solana.send({ to, lamports: SOL })
    expect(await held(to)).toBe(SOL)
    expect(asked).toBe(1)
  })
  it('finds the transaction on the second node when the first knows nothing of it', async () => {
    const blind = await chain.addNode()
    blind.faults.add({ type: 'forget' })
    const { solana, wallet } = await rich(endpoint(blind.url, chain.url))
    const to = stranger()
    await solana.send({ to, lamports: SOL })
    expect(await held(to)).toBe(SOL)
    expect(await held(wallet.address)).toBe(9n * SOL - FEE)
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

describe('preflight', () => {
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
})

describe('pending transactions in storage', () => {
  /** Persists like browser storage; two hosts are a page before and after its reload. */
  const storage = () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
    return kept
  }
  const ended = async (solana: Awaited<ReturnType<typeof rich>>['solana'], count: number) => {
    const { transactions } = await solana.steps()
    await transactions.resume()
    expect(transactions.list()).toHaveLength(count)
    return transactions.list()
  }
  it('[S1.18] a reload before confirmation continues with the same bytes: lands once, with one signature', async () => {
    const kept = storage()
    const { solana, keybay, wallet } = await rich()
    const to = stranger()
    chain.faults.add({ type: 'lose' }) // Accepted, but never executed.
    const leaving = new AbortController()
    const onStep = ({ step }: { readonly step: string }) => {
      if (step === 'sent') leaving.abort()
    }
    await expect(solana.send({ to, lamports: SOL, onStep, signal: leaving.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    keybay.dispose()
    expect(JSON.stringify([...kept])).toContain('solana:pending')
    chain.faults.clear()
    const after = await host({ url: chain.url, wsUrl: chain.wsUrl })
    closing.push(after.dispose)
    expect(await ended(after.solana, 1)).toMatchObject([{ status: 'confirmed', transfers: [{ to, amount: SOL }] }])
    expect(await held(to)).toBe(SOL)
    expect(await held(wallet.address)).toBe(9n * SOL - FEE)
    expect(wallet.asked).toHaveLength(1)
    expect(JSON.stringify([...kept])).not.toContain('solana:pending')
  })
  it('reports a transaction that expired before the reload as expired, and removes it from storage', async () => {
    const kept = storage()
    const { solana, keybay, wallet } = await rich()
    chain.faults.add({ type: 'lose' })
    const leaving = new AbortController()
    const sent = solana.send({
      to: stranger(),
      lamports: SOL,
      signal: leaving.signal,
      onStep: ({ step }) => step === 'sent' && leaving.abort(),
    })
    await expect(sent).rejects.toMatchObject({ code: 'aborted' })
    keybay.dispose()
    chain.faults.clear()
    chain.advanceSlots(160)
    const after = await host({ url: chain.url, wsUrl: chain.wsUrl })
    closing.push(after.dispose)
    const [record]: readonly TransactionRecord[] = await ended(after.solana, 1)
    expect(record).toMatchObject({ status: 'expired', error: { message: 'Transaction timed out' } })
    expect(await held(wallet.address)).toBe(10n * SOL)
    expect(JSON.stringify([...kept])).not.toContain('solana:pending')
  })
  it('ignores foreign values under the pending key, and sends a transfer while storage is blocked', async () => {
    const kept = storage()
    const { solana } = await rich()
    const name = 'keybay:local:solana:pending'
    for (const text of [
      'null',
      '{',
      '[1,{}]',
      '[{"transaction":"%","signature":"x","from":"y","signedAt":1,"networkId":104}]',
    ]) {
      kept.set(name, text)
      await ended(solana, 0)
    }
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('blocked')
      },
      setItem: () => {
        throw new Error('blocked')
      },
      removeItem: () => {},
    })
    const to = stranger()
    await solana.send({ to, lamports: SOL })
    expect(await held(to)).toBe(SOL)
  })
  it('refuses to send the same bytes twice, from the same tab or another', async () => {
    storage()
    chain.faults.add({ type: 'pause-slots' }) // All use the same blockhash.
    chain.faults.add({ type: 'lose', times: 1 })
    const wallet = testWallet()
    const tab = async () => {
      const keybay = await host({ url: chain.url, wsUrl: chain.wsUrl, wallets: [wallet] })
      closing.push(keybay.dispose)
      return keybay.solana
    }
    const [first, second] = [await tab(), await tab()]
    await connection.requestAirdrop(new PublicKey(wallet.address), Number(10n * SOL))
    const to = stranger()
    const refused = { details: { reason: 'the same transaction was signed a moment ago' } }
    let landing: Promise<unknown> | undefined
    const meanwhile = new Promise<unknown>(resolve => {
      const ask = () => resolve(second.send({ to, lamports: SOL }).catch((error: unknown) => error))
      landing = first.send({ to, lamports: SOL, onStep: ({ step }) => step === 'sent' && ask() })
    })
    expect(await meanwhile).toMatchObject(refused)
    await landing
    const third = await tab()
    await expect(third.send({ to, lamports: SOL })).rejects.toMatchObject(refused)
    expect(await held(to)).toBe(SOL)
  })
})

describe('the network', () => {
  it('network:changed names the connected wallets that do not support the new network', async () => {
    const [wallet, local] = [testWallet(['solana:devnet', 'solana:localnet']), testWallet(['solana:localnet'])]
    const keybay = await host({ url: chain.url, wallets: [wallet, local] })
    closing.push(keybay.dispose)
    const heard: unknown[] = []
    keybay.on('network:changed', ({ chain: name, without }) => heard.push([name, without]))
    await keybay.solana.getBalance(wallet.address)
    const told = () => new Promise<void>(resolve => closing.push(keybay.solana.networks.subscribe(resolve)))
    for (const id of [103, 104]) {
      const changed = told()
      keybay.solana.networks.select(id)
      await changed
    }
    expect(heard).toEqual([
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
})
