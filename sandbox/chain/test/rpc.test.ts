import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { chainForTest, connectionForTest, funded, post, type RpcReply, rpc } from './support.js'

const KEY = Keypair.generate().publicKey.toBase58()

describe('JSON-RPC errors of an Agave node', () => {
  it.each([
    ['getBalance', [], -32602, '`params` should have at least 1 argument(s)'],
    ['getBalance', ['abc'], -32602, 'Invalid param: WrongSize'],
    ['getBalance', ['0OIl'], -32602, 'Invalid param: Invalid'],
    ['getBalance', [5], -32602, 'Invalid params: invalid type: integer `5`, expected a string.'],
    ['getBalance', [KEY, { minContextSlot: 1e9 }], -32016, 'Minimum context slot has not been reached'],
    ['getAccountInfo', [KEY, 'base64'], -32602, 'Invalid params: invalid type: string "base64", expected a map.'],
    ['getTransaction', [KEY], -32602, 'Invalid param: WrongSize'],
    ['getBlock', [1e9], -32004, 'Block not available for slot 1000000000'],
    ['getBlock', [0], -32001, 'Block 0 cleaned up, does not exist on node. First available block: 1'],
    ['getSignaturesForAddress', [KEY, { limit: 1001 }], -32602, 'Invalid limit; max 1000'],
    ['getSignatureStatuses', [Array(257).fill('a')], -32602, 'Too many inputs provided; max 256'],
    ['getTokenSupply', [KEY], -32602, 'Invalid param: could not find account'],
    ['nothing', [], -32601, 'Method not found'],
    ['constructor', [], -32601, 'Method not found'],
  ])('%s with parameters %j returns the error of an Agave node', async (method, params, code, message) => {
    const chain = await chainForTest({ slotMs: 0 })
    expect((await rpc(chain, method, ...params)).error).toMatchObject({ code, message })
  })

  it.each([
    ['{', -32700],
    ['', -32700],
    ['[]', -32600],
    ['5', -32600],
    ['{"id":1,"method":"getSlot"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"getSlot"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"getBalance","params":{"a":1}}', -32602],
  ])('returns the error code of an Agave node for the request body %s', async (body, code) => {
    const chain = await chainForTest({ slotMs: 0 })
    expect((await (await post(chain, body)).json()).error.code).toBe(code)
  })

  it('responds to each request of a JSON-RPC batch, in order', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'getSlot' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
      { jsonrpc: '2.0', method: 'getSlot' },
      7,
    ]
    const answers: RpcReply[] = await (await post(chain, JSON.stringify(batch))).json()
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      ['a', undefined],
      [2, -32601],
      [null, -32600],
    ])
  })

  it('refuses HTTP requests that are not JSON-RPC, and allows pages of any origin', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    expect((await fetch(`${chain.url}/health`)).status).toBe(200)
    expect((await fetch(chain.url)).status).toBe(405)
    expect((await post(chain, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(chain, JSON.stringify(['x'.repeat(60_000)]))).status).toBe(413)
    const preflight = await fetch(chain.url, { method: 'OPTIONS', headers: { origin: 'http://app.localhost:4000' } })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
  })

  it('writes u64 values into JSON exactly', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [SystemProgram.programId.toBase58()],
    })
    expect(await (await post(chain, body)).text()).toContain('"rentEpoch":18446744073709551615')
  })

  it('returns an account in every encoding', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const table = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
    const data = async (config: object) => (await rpc(chain, 'getAccountInfo', table, config)).result?.value.data
    const dataSlice = { offset: 0, length: 4 }
    const [text] = await data({ encoding: 'base64', dataSlice })
    const bytes = Buffer.from(text, 'base64')
    expect(await data({ encoding: 'base58', dataSlice })).toEqual([bs58.encode(bytes), 'base58'])
    expect(await data({ dataSlice })).toBe(bs58.encode(bytes))
    const [frame, encoding] = await data({ encoding: 'base64+zstd', dataSlice })
    expect(encoding).toBe('base64+zstd')
    // RFC 8878: magic, single segment with its size, one last raw block.
    expect(Buffer.from(frame, 'base64').toString('hex')).toBe(`28b52ffda004000000210000${bytes.toString('hex')}`)
    const large = 'SysvarS1otHashes111111111111111111111111111'
    const whole = await rpc(chain, 'getAccountInfo', large, { encoding: 'base58' })
    expect(whole.error?.code).toBe(-32600)
  })

  it('refuses broken, unsigned or too large transactions, and names the reason', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const base64 = { encoding: 'base64' }
    const send = async (raw: Uint8Array) =>
      (await rpc(chain, 'sendTransaction', Buffer.from(raw).toString('base64'), base64)).error
    expect(await send(new Uint8Array(1233))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('too large'),
    })
    expect(await send(new Uint8Array(3))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('failed to deserialize'),
    })
    const wrong = await rpc(chain, 'sendTransaction', '!!', base64)
    expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining('invalid base64 encoding') })
    const unknown = await rpc(chain, 'sendTransaction', 'abc', { encoding: 'hex' })
    expect(unknown.error?.message).toBe('unsupported encoding: hex. Supported encodings: base58, base64')

    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: alice.publicKey, lamports: 1 }),
    )
    transaction.feePayer = alice.publicKey
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
    const unsigned = transaction.serialize({ requireAllSignatures: false })
    expect(await send(unsigned)).toEqual({ code: -32003, message: 'Transaction signature verification failure' })
    transaction.sign(alice)
    const base58 = bs58.encode(transaction.serialize())
    expect((await rpc(chain, 'sendTransaction', base58)).result).toBe(
      bs58.encode(transaction.signature ?? new Uint8Array()),
    )
    const again = await rpc(chain, 'sendTransaction', base58)
    expect(again.error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed', logs: [] },
    })
  })

  it('reports its health, version, slots and blocks', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const result = async (method: string, ...params: unknown[]) => (await rpc(chain, method, ...params)).result
    expect(await result('getHealth')).toBe('ok')
    expect(await result('getVersion')).toMatchObject({ 'solana-core': expect.any(String) })
    const slot = await result('getSlot')
    chain.advanceSlots(3)
    expect(await result('getSlot')).toBe(slot + 3)
    expect(await result('getBlocks', slot, slot + 2)).toEqual([slot, slot + 1, slot + 2])
    expect(await result('getBlocksWithLimit', slot, 2)).toEqual([slot, slot + 1])
    const [block, next] = [await result('getBlock', slot), await result('getBlock', slot + 1)]
    expect(next).toMatchObject({
      parentSlot: slot,
      previousBlockhash: block.blockhash,
      blockHeight: block.blockHeight + 1,
    })
    expect(await result('getEpochInfo')).toMatchObject({ absoluteSlot: slot + 3, epoch: 0, slotsInEpoch: 432_000 })
    expect(await result('getGenesisHash')).not.toBe('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')
    expect(await result('getSlotLeader')).toBe((await result('getIdentity')).identity)
    expect(await result('getRecentPrioritizationFees')).toContainEqual({ prioritizationFee: 0, slot })
    expect(await result('getMinimumBalanceForRentExemption', 0)).toBe(890_880)
    expect(await result('getFirstAvailableBlock')).toBe(1)
  })
})
