import { request } from 'node:http'
import { Keypair, SystemProgram, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Chain } from '../src/index.js'
import { admin, chainForTest, connectionForTest, funded, openSocket, post, rpc } from './support.js'

async function inject(chain: Chain, fault: object) {
  return (await admin(chain, 'POST', '/faults', fault)).json()
}

function call(chain: Chain, method: string) {
  return post(chain, JSON.stringify({ jsonrpc: '2.0', id: 7, method }))
}

describe('injected faults', () => {
  it('a fault drops, delays, breaks or refuses calls of one method, as often as configured', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    await inject(chain, { type: 'drop', method: 'getSlot', times: 1 })
    await expect(call(chain, 'getSlot')).rejects.toThrow()
    await inject(chain, { type: 'malformed', method: 'getSlot', times: 1 })
    await expect(call(chain, 'getSlot').then(response => response.json())).rejects.toThrow(SyntaxError)
    await inject(chain, { type: 'error', method: 'getSlot', status: 429, message: 'Too many requests', times: 2 })
    for (let time = 0; time < 2; time++) {
      const limited = await call(chain, 'getSlot')
      expect([limited.status, await limited.json()]).toEqual([
        429,
        { jsonrpc: '2.0', id: 7, error: { code: 429, message: 'Too many requests' } },
      ])
    }
    await inject(chain, { type: 'error', method: 'getSlot', code: -32005, message: 'Node is unhealthy', times: 1 })
    expect((await rpc(chain, 'getSlot')).error?.code).toBe(-32005)
    await inject(chain, { type: 'delay', method: 'getSlot', ms: 50, times: 1 })
    const start = performance.now()
    expect((await rpc(chain, 'getSlot')).result).toBeTypeOf('number')
    expect(performance.now() - start).toBeGreaterThanOrEqual(45)
    expect((await (await admin(chain, 'GET', '/faults')).json()).faults).toEqual([])
  })

  it('a fault affects the configured share of the calls at random', async () => {
    const chances = [0.1, 0.9, 0.3, 0.2]
    const chain = await chainForTest({ slotMs: 0, random: () => chances.shift() ?? 1 })
    await inject(chain, { type: 'error', method: 'getSlot', status: 500, share: 0.25 })
    const met: number[] = []
    for (let time = 0; time < 5; time++) met.push((await call(chain, 'getSlot')).status)
    expect(met).toEqual([500, 200, 200, 500, 200])
    expect((await admin(chain, 'POST', '/faults', { type: 'drop', share: 2 })).status).toBe(400)
  })

  it('a second node shows the same chain, and has its own faults', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const alice = await funded(connectionForTest(chain))
    const node = await chain.addNode()
    const other = { ...chain, url: node.url }
    const address = alice.publicKey.toBase58()
    const [{ signature }] = (await rpc(other, 'getSignaturesForAddress', address)).result
    node.faults.add({ type: 'forget' })
    expect((await rpc(other, 'getSignatureStatuses', [signature])).result.value).toEqual([null])
    expect((await rpc(chain, 'getSignatureStatuses', [signature])).result.value).toMatchObject([{ err: null }])
    node.faults.add({ type: 'drop' })
    await expect(call(other, 'getSlot')).rejects.toThrow()
    expect((await call(chain, 'getSlot')).status).toBe(200)
  })

  it('a fault affects no other method, and can be listed and removed', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const { id } = await inject(chain, { type: 'error', method: 'getSlot', status: 500 })
    expect((await call(chain, 'getSlot')).status).toBe(500)
    expect((await call(chain, 'getHealth')).status).toBe(200)
    expect((await (await admin(chain, 'GET', '/faults')).json()).faults).toMatchObject([{ id, type: 'error' }])
    expect((await admin(chain, 'DELETE', `/faults/${id}`)).status).toBe(200)
    expect((await admin(chain, 'DELETE', `/faults/${id}`)).status).toBe(404)
    expect((await call(chain, 'getSlot')).status).toBe(200)
    expect((await admin(chain, 'POST', '/faults', { type: 'nonsense' })).status).toBe(400)
  })

  it('a node lags behind, returns a stale blockhash, expires all blockhashes or loses a transaction', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    const send = async () => {
      const { blockhash } = (await rpc(chain, 'getLatestBlockhash')).result.value
      const transaction = new Transaction({ feePayer: alice.publicKey, blockhash, lastValidBlockHeight: 0 })
      transaction.add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1e6 }))
      transaction.sign(alice)
      return rpc(chain, 'sendTransaction', transaction.serialize().toString('base64'), { encoding: 'base64' })
    }
    await inject(chain, { type: 'behind', slots: 42 })
    expect((await rpc(chain, 'getHealth')).error).toEqual({
      code: -32005,
      message: 'Node is behind by 42 slots',
      data: { numSlotsBehind: 42 },
    })
    expect((await send()).error?.code).toBe(-32005)
    await admin(chain, 'DELETE', '/faults')

    await inject(chain, { type: 'stale-blockhash', times: 1 })
    expect((await send()).error?.data.err).toBe('BlockhashNotFound')

    const held = (await rpc(chain, 'getLatestBlockhash')).result.value.blockhash
    expect((await inject(chain, { type: 'expire-blockhash' })).expired).toContain(held)
    expect((await rpc(chain, 'isBlockhashValid', held)).result.value).toBe(false)

    await inject(chain, { type: 'lose', times: 1 })
    const lost = await send()
    expect((await rpc(chain, 'getSignatureStatuses', [lost.result])).result.value).toEqual([null])
    expect(await connection.getBalance(bob)).toBe(0)
    const landed = await send()
    expect((await rpc(chain, 'getSignatureStatuses', [landed.result])).result.value[0].err).toBeNull()
  })

  it('an abandoned fork loses its transactions, balances and blockhashes, and notifies subscribers', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    const balances = vi.fn()
    connection.onAccountChange(bob, account => balances(account.lamports))
    // The websocket keeps the order of subscriptions, so a notified slot means that the account is subscribed too.
    const slots = vi.fn()
    connection.onSlotChange(slots)
    await expect
      .poll(() => {
        chain.advanceSlots(1)
        return slots
      })
      .toHaveBeenCalled()
    const { slot } = await (await admin(chain, 'POST', '/fork')).json()
    expect((await admin(chain, 'POST', '/fork')).status).toBe(400)
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1e9 }),
    )
    const signature = await sendAndConfirmTransaction(connection, transaction, [alice])
    await expect.poll(() => balances).toHaveBeenCalledWith(1e9)
    chain.advanceSlots(2)
    const { blockhash } = await connection.getLatestBlockhash()

    expect(await (await admin(chain, 'DELETE', '/fork')).json()).toEqual({ vanished: [signature] })
    expect((await connection.getSignatureStatus(signature)).value).toBeNull()
    expect(await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })).toBeNull()
    expect(await connection.getBalance(bob)).toBe(0)
    expect(await connection.getBalance(alice.publicKey)).toBe(10e9)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false)
    expect((await rpc(chain, 'getBlock', slot)).error?.code).toBe(-32007)
    await expect.poll(() => balances).toHaveBeenLastCalledWith(0)
    // The transaction's blockhash is older than the fork: when sent again, it runs again.
    expect(await connection.sendRawTransaction(transaction.serialize())).toBe(signature)
    expect(await connection.getBalance(bob)).toBe(1e9)
    expect((await admin(chain, 'DELETE', '/fork')).status).toBe(400)
  })

  it('a fault cuts or refuses websockets', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const socket = await openSocket(chain.wsUrl)
    const closed = new Promise(resolve => socket.once('close', resolve))
    expect(await inject(chain, { type: 'cut-websockets' })).toEqual({ cut: 1 })
    expect(await closed).toBe(1006)
    await inject(chain, { type: 'refuse-websockets' })
    const refused = new WebSocket(chain.wsUrl)
    await new Promise(resolve => refused.once('error', resolve))
  })

  it.each(['advance', 'advanceMs'])(
    'the admin API pauses slots, creates slots, and moves the clock together with its slots (%s)',
    async by => {
      const chain = await chainForTest({ slotMs: 5 })
      await inject(chain, { type: 'pause-slots' })
      const slot = (await rpc(chain, 'getSlot')).result
      const { blockhash } = (await rpc(chain, 'getLatestBlockhash')).result.value
      expect(await (await admin(chain, 'POST', '/slots', { count: 10 })).json()).toMatchObject({ slot: slot + 10 })
      const { now } = await (await admin(chain, 'GET', '/clock')).json()
      await admin(chain, 'POST', '/clock', { [by]: 3_600_000 })
      const moved = (await rpc(chain, 'getSlot')).result
      expect(moved).toBeGreaterThan(slot + 160)
      expect((await rpc(chain, 'getBlockTime', moved)).result).toBeGreaterThanOrEqual(Math.floor(now / 1000) + 3600)
      expect((await rpc(chain, 'isBlockhashValid', blockhash)).result.value).toBe(false)
      const reset = await (await admin(chain, 'DELETE', '/clock')).json()
      expect(reset.now).toBeLessThan(now + 60_000)
    },
  )

  it.each([
    ['a foreign page', { origin: 'https://evil.example' }],
    ['a name pointed here', { host: 'evil.example' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ])('the chain’s admin API refuses requests from %s', async (_, headers) => {
    const chain = await chainForTest({ slotMs: 0 })
    const status = await new Promise(resolve => {
      request(`${chain.url}/admin/faults`, { headers }, response => resolve(response.resume().statusCode)).end()
    })
    expect(status).toBe(403)
  })
})
