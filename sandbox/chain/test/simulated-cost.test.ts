/** A simulation predicts what the block later reports. */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { expect, it } from 'vitest'
import type { Chain } from '../src/index.js'
import { admin, chainForTest, connectionForTest, funded, rpc } from './support.js'

const COSTS = ['fee', 'preBalances', 'postBalances', 'preTokenBalances', 'postTokenBalances'] as const

function getCosts(value: Record<string, unknown>) {
  return Object.fromEntries(COSTS.map(name => [name, value[name]]))
}

async function signedBy(chain: Chain, payer: Keypair, ...instructions: TransactionInstruction[]) {
  const { blockhash } = (await rpc(chain, 'getLatestBlockhash')).result.value
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(...instructions)
  transaction.sign(payer)
  return transaction.serialize().toString('base64')
}

async function simulated(chain: Chain, wire: string) {
  const config = { encoding: 'base64', replaceRecentBlockhash: true }
  return (await rpc(chain, 'simulateTransaction', wire, config)).result.value
}

async function landed(chain: Chain, wire: string) {
  const { result } = await rpc(chain, 'sendTransaction', wire, { encoding: 'base64', skipPreflight: true })
  return (await rpc(chain, 'getTransaction', result)).result.meta
}

it('simulates the cost of a token transfer into a new account with a priority fee', async () => {
  const chain = await chainForTest({ slotMs: 0 })
  const alice = await funded(connectionForTest(chain))
  const order = { owner: alice.publicKey.toBase58(), decimals: 6, amount: '1000' }
  const mint = new PublicKey((await (await admin(chain, 'POST', '/mint', order)).json()).mint)
  const bob = Keypair.generate().publicKey
  const [from, to] = [alice.publicKey, bob].map(owner => getAssociatedTokenAddressSync(mint, owner))
  if (!from || !to) throw new Error('no addresses')
  const wire = await signedBy(
    chain,
    alice,
    ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7 }),
    createAssociatedTokenAccountIdempotentInstruction(alice.publicKey, to, bob, mint),
    createTransferCheckedInstruction(from, mint, to, alice.publicKey, 400n, 6),
  )
  const simulation = await simulated(chain, wire)
  expect(simulation).toMatchObject({ err: null, fee: 5001, loadedAddresses: { writable: [], readonly: [] } })
  expect(simulation.postTokenBalances).toHaveLength(2)
  expect(getCosts(await landed(chain, wire))).toEqual(getCosts(simulation))
})

it('a simulated failure costs only its fee, and a transaction that may not run costs nothing', async () => {
  const chain = await chainForTest({ slotMs: 0 })
  const alice = await funded(connectionForTest(chain), 1)
  const [fromPubkey, toPubkey] = [alice.publicKey, Keypair.generate().publicKey]
  const wire = await signedBy(chain, alice, SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 5e9 }))
  const simulation = await simulated(chain, wire)
  expect(simulation).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, fee: 5000 })
  expect(getCosts(await landed(chain, wire))).toEqual(getCosts(simulation))

  const stranger = Keypair.generate()
  const poor = SystemProgram.transfer({ fromPubkey: stranger.publicKey, toPubkey, lamports: 1 })
  expect(await simulated(chain, await signedBy(chain, stranger, poor))).toMatchObject({
    err: 'AccountNotFound',
    fee: null,
    preBalances: null,
    postBalances: null,
  })
})

it('an old node simulates without costs and without a blockhash', async () => {
  const chain = await chainForTest({ slotMs: 0 })
  const alice = await funded(connectionForTest(chain))
  const [fromPubkey, toPubkey] = [alice.publicKey, Keypair.generate().publicKey]
  const wire = await signedBy(chain, alice, SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1e9 }))
  chain.faults.add({ type: 'old-node' })
  const simulation = await simulated(chain, wire)
  expect(simulation).toMatchObject({ err: null, unitsConsumed: 150 })
  for (const name of [...COSTS, 'loadedAddresses', 'replacementBlockhash']) expect(simulation).not.toHaveProperty(name)
})
