// @vitest-environment happy-dom
/** The approval window describes a transaction that moves tokens, on a real chain with real token accounts. */
import { type Chain, startChain } from '@keybay/sandbox-chain'
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connect, getFeatures, register, reload } from './page.js'

const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const DEMO = new PublicKey('2BUisbSVMhutnXfLtGgdyqXdXgL59BqJ9ehqcfZSC4JP')
let chain: Chain
let connection: Connection

beforeAll(async () => {
  chain = await startChain()
  connection = new Connection(chain.url, 'confirmed')
})
afterAll(() => chain.stop())
beforeEach(() => localStorage.clear())
afterEach(reload)

async function mint(owner: PublicKey): Promise<void> {
  const order = { owner: owner.toBase58(), symbol: 'DEMO', amount: '100000000', program: 'spl-token' }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${chain.url}/admin/mint`, { method: 'POST', headers, body: JSON.stringify(order) })
  expect(response.ok).toBe(true)
}

function tokenAccount(owner: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([owner.toBytes(), TOKEN.toBytes(), DEMO.toBytes()], ASSOCIATED)[0]
}

function keys(...addresses: readonly PublicKey[]) {
  return addresses.map(pubkey => ({ pubkey, isSigner: false, isWritable: true }))
}

function transfer(from: PublicKey, to: PublicKey, units: bigint): TransactionInstruction {
  const data = Buffer.alloc(10)
  data.writeUInt8(12)
  data.writeBigUInt64LE(units, 1)
  data.writeUInt8(6, 9)
  const [source, ...others] = keys(tokenAccount(from), DEMO, tokenAccount(to))
  const signer = { pubkey: from, isSigner: true, isWritable: false }
  return new TransactionInstruction({ programId: TOKEN, keys: [source, ...others, signer].filter(key => !!key), data })
}

function opening(payer: PublicKey, owner: PublicKey): TransactionInstruction {
  const accounts = keys(payer, tokenAccount(owner), owner, DEMO, PublicKey.default, TOKEN)
  return new TransactionInstruction({ programId: ASSOCIATED, keys: accounts, data: Buffer.from([1]) })
}

/** Asks the wallet to sign, and returns the text of its window. */
async function ask(make: (from: PublicKey) => readonly TransactionInstruction[]) {
  const handle = register({ rpcUrl: chain.url })
  const account = await connect(handle)
  const feePayer = new PublicKey(account.address)
  const { blockhash } = await connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer, recentBlockhash: blockhash }).add(...make(feePayer))
  const bytes = transaction.serialize({ requireAllSignatures: false })
  const signing = getFeatures(handle.wallet)['solana:signTransaction'].signTransaction({
    account,
    chain: 'solana:localnet',
    transaction: bytes,
  })
  signing.catch(() => {}) // rejected by the reload after the test
  const host = document.querySelector('keybay-sandbox-wallet')
  return () => host?.shadowRoot?.querySelector('dialog[open]')?.textContent ?? ''
}

it('shows amount and name of a token, its new account’s owner, deposit, fee and network', async () => {
  const to = Keypair.generate().publicKey
  const text = await ask(from => [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 5_000_000 }),
    opening(from, to),
    transfer(from, to, 5_000_000n),
  ])
  expect(text()).toContain(`Send5 DEMOto ${to.toBase58()}Token ${DEMO.toBase58()}`)
  expect(text()).toContain(`Create a token accountfor ${to.toBase58()}`)
  expect(text()).toContain('Network fee: 0.001005 SOL')
  expect(text()).toContain('Deposit for new token accounts: about 0.00203928 SOL')
  expect(text()).toContain('Localnet')
  expect(text()).not.toContain(tokenAccount(to).toBase58())
  expect(text()).not.toContain('accounts · data')
})

it('shows the owner of a token account that exists, as the chain knows it', async () => {
  const to = Keypair.generate().publicKey
  await mint(to)
  const text = await ask(from => [transfer(from, to, 1_500_000n)])
  await expect.poll(text).toContain(`Send1.5 DEMOto ${to.toBase58()}`)
  expect(text()).toContain('Network fee: 0.000005 SOL')
})

it('names the token account where the chain knows no owner', async () => {
  const to = Keypair.generate().publicKey
  const text = await ask(from => [transfer(from, to, 1n)])
  expect(text()).toContain(`Send0.000001 DEMOto token account ${tokenAccount(to).toBase58()}`)
})
