import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { type Chain, startChain } from '../src/index.js'
import { admin, chainForTest, rpc } from './support.js'

async function result(chain: Chain, method: string, ...params: unknown[]) {
  return (await rpc(chain, method, ...params)).result
}

/** Creates a chain with an airdrop and a transfer in `dataDir`, stops it, and returns the state that a client saw. */
async function played(dataDir: string) {
  const chain = await startChain({ dataDir, slotMs: 0 })
  const [alice, bob] = [Keypair.generate(), Keypair.generate().publicKey]
  await rpc(chain, 'requestAirdrop', alice.publicKey, 5e9)
  const { blockhash } = await new Connection(chain.url).getLatestBlockhash()
  const transaction = new Transaction({ feePayer: alice.publicKey, blockhash, lastValidBlockHeight: 0 })
  transaction.add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1e9 }))
  transaction.sign(alice)
  const raw = transaction.serialize().toString('base64')
  const signature: string = await result(chain, 'sendTransaction', raw, { encoding: 'base64' })
  const before = {
    transaction: await result(chain, 'getTransaction', signature),
    genesis: await result(chain, 'getGenesisHash'),
    slot: await result(chain, 'getSlot'),
    supply: (await result(chain, 'getSupply')).value,
  }
  await chain.stop()
  return { bob, raw, signature, blockhash, before }
}

describe('the state on disk', () => {
  it('a restarted chain restores balances, history, slots, blockhashes and duplicates', async () => {
    const dataDir = temporaryFolder()
    const { bob, raw, signature, blockhash, before } = await played(dataDir)
    const chain = await chainForTest({ dataDir, slotMs: 0 })
    expect((await result(chain, 'getBalance', bob)).value).toBe(1e9)
    expect(await result(chain, 'getTransaction', signature)).toEqual(before.transaction)
    const history = await result(chain, 'getSignaturesForAddress', bob)
    expect(history).toMatchObject([{ signature, slot: before.slot }])
    expect(await result(chain, 'getGenesisHash')).toBe(before.genesis)
    expect(await result(chain, 'getSlot')).toBeGreaterThan(before.slot)
    expect((await result(chain, 'getSupply')).value).toEqual(before.supply)
    expect((await result(chain, 'isBlockhashValid', blockhash)).value).toBe(true)
    const again = await rpc(chain, 'sendTransaction', raw, { encoding: 'base64' })
    expect(again.error?.data.err).toBe('AlreadyProcessed')
    expect((await result(chain, 'getBlock', before.slot)).transactions).toHaveLength(2)
  })

  it('a restarted chain skips the slots of its downtime', async () => {
    const dataDir = temporaryFolder()
    let now = 1_700_000_000_000
    const clock = { now: () => now }
    const first = await startChain({ dataDir, clock })
    const slot = await result(first, 'getSlot')
    await first.stop()
    now += 40_000
    const chain = await chainForTest({ dataDir, clock })
    expect(await result(chain, 'getSlot')).toBeGreaterThanOrEqual(slot + 100)
    expect(await result(chain, 'getBlockTime', await result(chain, 'getSlot'))).toBe(1_700_000_040)
    expect((await rpc(chain, 'getBlock', slot + 50)).error?.code).toBe(-32007)
  })

  it('the chain saves its state after a change', async () => {
    const dataDir = temporaryFolder()
    const chain = await chainForTest({ dataDir, slotMs: 0, snapshotMs: 10 })
    await rpc(chain, 'requestAirdrop', Keypair.generate().publicKey, 1e9)
    await expect.poll(() => readFile(join(dataDir, 'snapshot'), 'utf8')).toContain('invoke [1]')
  })

  it.each([
    ['truncated', (path: string) => truncate(path, 100_000), 'truncated'],
    ['empty', (path: string) => truncate(path, 0), 'it has no head'],
    ['not ours', (path: string) => writeFile(path, '{"format":"other"}\nx'), 'it has no head'],
    [
      'of another version',
      (path: string) => edit(path, text => text.replace('"version":1', '"version":9')),
      'version 9',
    ],
    ['damaged', (path: string) => edit(path, text => text.replace('invoke [1]', 'invoke [2]')), 'checksum of section'],
  ])('sets a snapshot aside with a message when it is %s, and starts a new chain', async (_, damage, reason) => {
    const dataDir = temporaryFolder()
    const { bob, before } = await played(dataDir)
    await damage(join(dataDir, 'snapshot'))
    const warn = vi.fn()
    const chain = await chainForTest({ dataDir, slotMs: 0, warn })
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(reason))
    expect((await result(chain, 'getBalance', bob)).value).toBe(0)
    expect(await result(chain, 'getGenesisHash')).not.toBe(before.genesis)
    expect((await readdir(dataDir)).some(name => name.startsWith('snapshot.bad-'))).toBe(true)
  })

  it('the chain never reads a half-written snapshot', async () => {
    const dataDir = temporaryFolder()
    const { bob } = await played(dataDir)
    await writeFile(join(dataDir, 'snapshot.1.tmp'), 'half')
    const chain = await chainForTest({ dataDir, slotMs: 0 })
    expect((await result(chain, 'getBalance', bob)).value).toBe(1e9)
    expect(await readdir(dataDir)).toEqual(['snapshot'])
  })

  it('the chain keeps history only up to its limit', async () => {
    const chain = await chainForTest({ slotMs: 0, historyLimit: 100 })
    const key = Keypair.generate().publicKey
    const signatures: string[] = []
    for (let index = 1; index <= 120; index++) signatures.push(await result(chain, 'requestAirdrop', key, 1e6 + index))
    chain.advanceSlots(301)
    expect(await result(chain, 'getTransaction', signatures[0])).toBeNull()
    expect(await result(chain, 'getTransaction', signatures[119])).not.toBeNull()
    expect(await result(chain, 'getSignaturesForAddress', key)).toHaveLength(100)
    expect(await result(chain, 'getTransactionCount')).toBe(120)
  })

  it('the chain saves its state when an administrator requests it', async () => {
    const dataDir = temporaryFolder()
    const chain = await chainForTest({ dataDir, slotMs: 0 })
    expect((await admin(chain, 'POST', '/snapshot')).status).toBe(200)
    expect(await readdir(dataDir)).toEqual(['snapshot'])
  })
})

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'latin1')), 'latin1')
}
