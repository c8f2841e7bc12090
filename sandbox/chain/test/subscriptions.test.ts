import { Keypair, type Logs, SystemProgram, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { chainForTest, connectionForTest, funded, openSocket } from './support.js'

describe('websocket subscriptions', () => {
  it('notifies web3.js of accounts, programs, logs, slots and roots until web3.js unsubscribes', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    const seen = {
      account: vi.fn(),
      program: vi.fn(),
      logs: vi.fn<(logs: Logs) => void>(),
      slot: vi.fn(),
      root: vi.fn(),
    }
    const account = connection.onAccountChange(bob, seen.account)
    connection.onProgramAccountChange(SystemProgram.programId, seen.program, { filters: [{ dataSize: 0 }] })
    connection.onLogs(bob, seen.logs)
    connection.onSlotChange(seen.slot)
    connection.onRootChange(seen.root)
    await expect.poll(() => seen.slot).toHaveBeenCalled()

    const send = () =>
      sendAndConfirmTransaction(
        connection,
        new Transaction().add(
          SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1_000_000 }),
        ),
        [alice],
      )
    const signature = await send()
    await expect.poll(() => seen.account).toHaveBeenCalledTimes(1)
    await expect.poll(() => seen.program).toHaveBeenCalledTimes(2)
    await expect.poll(() => seen.logs).toHaveBeenCalledTimes(1)
    expect(seen.account.mock.calls[0]?.[0]).toMatchObject({ lamports: 1_000_000 })
    expect(seen.logs.mock.calls[0]?.[0]).toMatchObject({ signature, err: null })
    const changed = seen.program.mock.calls.map(([entry]) => entry.accountId.toBase58())
    expect(changed.sort()).toEqual([alice.publicKey.toBase58(), bob.toBase58()].sort())
    await expect.poll(() => seen.root).toHaveBeenCalled()

    await connection.removeAccountChangeListener(account)
    await send()
    await expect.poll(() => seen.logs).toHaveBeenCalledTimes(2)
    expect(seen.account).toHaveBeenCalledTimes(1)
  })

  it('notifies of a long confirmed signature, reports “received” on request, and ends the subscription', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const [entry] = await connection.getSignaturesForAddress(alice.publicKey)
    const socket = new WebSocket(chain.wsUrl)
    const messages: unknown[] = []
    socket.on('message', data => messages.push(JSON.parse(data.toString())))
    await new Promise(resolve => socket.once('open', resolve))
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ping' }))
    const params = [entry?.signature, { commitment: 'confirmed', enableReceivedNotification: true }]
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'signatureSubscribe', params }))
    await expect.poll(() => messages).toHaveLength(3)
    const notification = (value: unknown) =>
      expect.objectContaining({
        method: 'signatureNotification',
        params: { subscription: expect.any(Number), result: { context: expect.anything(), value } },
      })
    expect(messages.slice(1)).toEqual([notification('receivedSignature'), notification({ err: null })])
    socket.close()
  })

  it('serves websockets also on the HTTP port', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const socket = await openSocket(chain.url.replace('http', 'ws'))
    const notified = new Promise<string>(resolve => {
      socket.on('message', data => {
        const message = JSON.parse(data.toString())
        if (message.result !== undefined) chain.advanceSlots(1)
        else resolve(message.method)
      })
    })
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe' }))
    expect(await notified).toBe('slotNotification')
    socket.close()
  })
})
