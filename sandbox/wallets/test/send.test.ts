// @vitest-environment happy-dom
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { IdentifierString } from '@wallet-standard/base'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connect, getFeatures, register, reload } from './page.js'

const SOL = 1_000_000_000
let chain: Chain
let connection: Connection

beforeAll(async () => {
  chain = await startChain()
  connection = new Connection(chain.url, 'confirmed')
})
afterAll(() => chain.stop())
beforeEach(() => localStorage.clear())
afterEach(reload)

async function ready(lamports: number) {
  const handle = register({ rpcUrl: chain.url })
  const account = await connect(handle)
  handle.approveAll = true
  const payer = new PublicKey(account.address)
  if (lamports) await connection.requestAirdrop(payer, lamports)
  const transfer = async (to: PublicKey, amount: number) => {
    const { blockhash } = await connection.getLatestBlockhash()
    const instruction = SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: amount })
    const transaction = new Transaction({ feePayer: payer, recentBlockhash: blockhash }).add(instruction)
    return transaction.serialize({ requireAllSignatures: false })
  }
  return { account, transfer, send: getFeatures(handle.wallet)['solana:signAndSendTransaction'].signAndSendTransaction }
}
const LOCALNET: IdentifierString = 'solana:localnet'

it('sends the transaction that it signed, and waits for the requested commitment', async () => {
  const { account, transfer, send } = await ready(2 * SOL)
  const to = Keypair.generate().publicKey
  const transaction = await transfer(to, SOL)
  const [output] = await send({ account, chain: LOCALNET, transaction, options: { commitment: 'confirmed' } })
  expect(await connection.getBalance(to)).toBe(SOL)
  const { value } = await connection.getSignatureStatus(bs58.encode(output?.signature ?? []))
  expect(value?.err).toBeNull()
})

it('sends several transactions in order, with a single approval', async () => {
  const { account, transfer, send } = await ready(3 * SOL)
  const [one, two] = [Keypair.generate().publicKey, Keypair.generate().publicKey]
  const options = { commitment: 'confirmed' } as const
  const outputs = await send(
    { account, chain: LOCALNET, transaction: await transfer(one, SOL), options },
    { account, chain: LOCALNET, transaction: await transfer(two, SOL), options },
  )
  expect(outputs).toHaveLength(2)
  expect([await connection.getBalance(one), await connection.getBalance(two)]).toEqual([SOL, SOL])
})

it('passes on the node’s error when the node refuses a transaction', async () => {
  const { account, transfer, send } = await ready(0)
  const transaction = await transfer(Keypair.generate().publicKey, SOL)
  await expect(send({ account, chain: LOCALNET, transaction })).rejects.toMatchObject({
    code: -32002,
    message: expect.stringMatching(/simulation failed/i),
  })
})

it('reports a transaction that failed on the chain', async () => {
  const { account, transfer, send } = await ready(SOL)
  const transaction = await transfer(Keypair.generate().publicKey, 5 * SOL)
  const options = { commitment: 'confirmed', skipPreflight: true } as const
  await expect(send({ account, chain: LOCALNET, transaction, options })).rejects.toThrow(/^Transaction failed: /)
})

it('refuses a chain for which the wallet knows no node', async () => {
  const { account, transfer, send } = await ready(SOL)
  const transaction = await transfer(Keypair.generate().publicKey, 1)
  const answer = send({ account, chain: 'solana:mainnet', transaction })
  await expect(answer).rejects.toThrow('This wallet knows no node of solana:mainnet')
})
