import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { METHODS } from '../src/rpc/dispatch.js'
import { readTransaction } from '../src/wire.js'
import { chainForTest, connectionForTest, funded, openSocket, post, rpc } from './support.js'

const KEY = Keypair.generate().publicKey.toBase58()
const parameter = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(KEY, '', '1'.repeat(5000), -1, 2 ** 60, 1e308, null, { encoding: 'jsonParsed' }, { programId: KEY }),
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes).toString('base64')),
  fc.record({
    encoding: fc.constantFrom('base64', 'x', '__proto__'),
    filters: fc.jsonValue(),
    dataSlice: fc.jsonValue(),
  }),
)

describe('hostile input', () => {
  it('random RPC calls never crash the chain, and never return an internal error', async () => {
    const chain = await chainForTest()
    const call = fc.tuple(fc.constantFrom(...METHODS.keys()), fc.array(parameter, { maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(call, async ([method, params]) => {
        const reply = await rpc(chain, method, ...params)
        expect(reply.jsonrpc).toBe('2.0')
        // -32603 would mean an uncaught exception; only the faucet returns it on purpose.
        if (method !== 'requestAirdrop') expect(reply.error?.code).not.toBe(-32603)
      }),
      { numRuns: 600 },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async body => {
        expect((await post(chain, body)).status).toBe(200)
      }),
      { numRuns: 200 },
    )
    expect((await rpc(chain, 'getHealth')).result).toBe('ok')
  })

  it('the chain survives transactions with any bytes changed', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: Keypair.generate().publicKey, lamports: 1e6 }),
    )
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
    transaction.sign(alice)
    const raw = transaction.serialize()
    const change = fc.tuple(fc.nat(raw.length - 1), fc.nat(255))
    const options = { encoding: 'base64', replaceRecentBlockhash: true, innerInstructions: true }
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(40), async (changes, cut) => {
        const bytes = Buffer.from(raw.subarray(0, raw.length - (cut > 30 ? cut : 0)))
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
        const text = bytes.toString('base64')
        expect((await rpc(chain, 'simulateTransaction', text, options)).error?.code).not.toBe(-32603)
        expect(
          (await rpc(chain, 'sendTransaction', text, { encoding: 'base64', skipPreflight: true })).error?.code,
        ).not.toBe(-32603)
      }),
      { numRuns: 500 },
    )
    expect((await rpc(chain, 'getHealth')).result).toBe('ok')
  })

  it('parses any bytes as a transaction, or throws a readable error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1232 }), bytes => {
        try {
          expect(readTransaction(bytes).raw.length).toBeLessThanOrEqual(bytes.length)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect(error).not.toBeInstanceOf(RangeError)
          expect(error).not.toBeInstanceOf(TypeError)
        }
      }),
    )
  })

  it('answers a request head over 16 KiB with a JSON error', async () => {
    const { url } = await chainForTest()
    const response = await fetch(`${url}/${'a'.repeat(20_000)}`)
    expect(response.status).toBe(431)
    expect(await response.json()).toMatchObject({ code: 'invalid_request' })
  })

  it('the websocket responds to nonsense with an error, and keeps working', async () => {
    const chain = await chainForTest()
    const socket = await openSocket(chain.wsUrl)
    const ask = (text: string) =>
      new Promise<{ result?: unknown; error?: { code: number } }>(resolve => {
        socket.once('message', data => resolve(JSON.parse(data.toString())))
        socket.send(text)
      })
    const request = (method: string, params: unknown) => ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    expect((await ask('{')).error?.code).toBe(-32700)
    expect((await ask('7')).error?.code).toBe(-32600)
    expect((await request('nothingSubscribe', [])).error?.code).toBe(-32601)
    expect((await request('accountSubscribe', [])).error?.code).toBe(-32602)
    expect((await request('accountSubscribe', [7])).error?.code).toBe(-32602)
    expect((await request('accountUnsubscribe', [99])).error?.code).toBe(-32602)
    expect((await request('logsSubscribe', [{ mentions: [KEY, KEY] }])).error?.code).toBe(-32602)
    expect((await request('accountSubscribe', [KEY])).result).toBe(1)
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.send('x'.repeat(60_000))
    expect(await closed).toBe(1009)
  })
})
