/** Tests tokens, transfer speeds, sponsored fees, and transfers that are still pending after a reload. */
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, it } from 'vitest'
import { activeAddress, receiveAirdrop } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {} })
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'
/** The chain's faucet, whose account of NOTE requires a note. */
const FAUCET = '8A7bfSQmrhhqbz2LFpeKxnmgXL7iPoax5hx7gwCJqY9E'

async function withTokens(): Promise<Visitor> {
  const visitor = await sandbox.visit()
  await visitor.connect()
  await receiveAirdrop(visitor)
  await visitor.page.getByRole('button', { name: 'Get test tokens' }).click()
  await tokens(visitor).getByText('100 NOTE').waitFor()
  return visitor
}
/** Makes the chain busy: an account pays extra fees in each of many blocks. */
async function payMoreForBlocks(): Promise<void> {
  const connection = new Connection(sandbox.chain.url, 'confirmed')
  const payer = Keypair.generate()
  await connection.requestAirdrop(payer.publicKey, 1e9)
  const { blockhash } = await connection.getLatestBlockhash()
  for (let block = 0; block < 100; block++) {
    sandbox.chain.advanceSlots(1)
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 }),
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: block }),
      ],
    })
    const transaction = new VersionedTransaction(message.compileToLegacyMessage())
    transaction.sign([payer])
    await connection.sendRawTransaction(transaction.serialize())
  }
}

function tokens({ page }: Visitor) {
  return page.getByRole('region', { name: 'Tokens' })
}

function chooseToken({ page }: Visitor, symbol: string) {
  return page.getByRole('link', { name: `Send ${symbol}`, exact: true }).click()
}

function getChanges({ send }: Visitor) {
  return expect.poll(async () => (await send.changes.allInnerTexts()).map(line => line.replace(/\s+/g, ' ')))
}

it('[S1.18] [S4.5] sends SPL tokens, and shows beforehand exactly what the transfer changes', async () => {
  const visitor = await withTokens()
  const { page, send, wallet } = visitor
  await expect.poll(() => tokens(visitor).getByRole('listitem').count()).toBe(4)
  await chooseToken(visitor, 'DEMO')
  await page.getByText('100 DEMO available').waitFor()
  await send.fill(OTHER, '1.5')
  const costs = 'You, for the fee and a new token account −0.00204428 SOL'
  await getChanges(visitor).toEqual([costs, 'You −1.5 DEMO', 'GfJ3LH…Z9uB1W +1.5 DEMO'])
  await page.getByText('0.000005 SOL', { exact: true }).waitFor()
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()

  await visitor.go('Overview')
  await tokens(visitor).getByText('98.5 DEMO').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
  const sent = page.getByRole('region', { name: 'Sent from this browser' }).getByRole('listitem')
  await sent.getByText('−1.5 DEMO').waitFor()
  await sent.getByText('Confirmed').waitFor()
  await sent.getByRole('link').click()
  await page.getByRole('main').getByText('Succeeded').waitFor()
})

it('[S1.18] reports a token’s fee, required note, transfer ban and too low balance before anything is signed', async () => {
  const visitor = await withTokens()
  const { page, send, wallet } = visitor
  await chooseToken(visitor, 'FEE')
  await send.fill(OTHER, '10')
  await page.getByText('FEE keeps a part of each transfer.').waitFor()
  await page.getByText('It takes 0.1 FEE of this one').waitFor()
  await expect.poll(() => send.changes.last().textContent()).toBe('GfJ3LH…Z9uB1W+9.9 FEE')

  await send.asset.selectOption({ label: '100 BOUND' })
  await page.getByText('This cannot be sent.').waitFor()
  await send.submit.click()
  await page.getByText('Not sent.').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  await send.asset.selectOption({ label: '100 DEMO' })
  await send.amount.fill('100.5')
  await send.submit.click()
  await page.getByText('You have 100 DEMO. Enter less.').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  await send.asset.selectOption({ label: '100 NOTE' })
  await send.fill(FAUCET, '1')
  await page.getByText('The receiver asks for a note.').waitFor()
  await send.note.fill('thank you')
  await page.getByText('The receiver asks for a note.').waitFor({ state: 'hidden' })
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()
})

it('[S1.18] pays the recent fee for the speed that the user chose', async () => {
  const visitor = await sandbox.visit()
  const { page, send, wallet } = visitor
  await visitor.connect()
  await receiveAirdrop(visitor)
  await payMoreForBlocks()
  await visitor.go('Send')
  await send.fill(OTHER, '0.25')
  await page.getByText('0.000005 SOL', { exact: true }).waitFor()
  await send.speed.selectOption('high')
  const fee = page.getByText(/^0\.0000\d+ SOL$/)
  await expect.poll(() => fee.textContent()).not.toBe('0.000005 SOL')
  const paid = Number((await fee.textContent())?.split(' ')[0])
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()
  await visitor.go('Overview')
  const left = `${(1.75 - paid).toFixed(9).replace(/0+$/, '')} SOL`
  await page.getByRole('region', { name: 'Balance' }).getByText(left, { exact: true }).waitFor()
})

it('[S7.1] [S1.18] the environment pays the network fee, and the user’s balance drops only by the amount sent', async () => {
  const visitor = await sandbox.visit()
  const { page, send, wallet } = visitor
  await signInByCode(sandbox, visitor, 'sponsored@example.com')
  await visitor.connect()
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  await page.getByLabel('Let this app pay the network fee').check()
  await send.fill(OTHER, '0.5')
  await page.getByText('paid for you').waitFor()
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()
  await visitor.go('Overview')
  await page.getByRole('region', { name: 'Balance' }).getByText('1.5 SOL', { exact: true }).waitFor()
})

it('[S4.5] continues to confirm a pending transfer after a reload, and lists the transfer once', async () => {
  const visitor = await sandbox.visit()
  const { page, send, wallet } = visitor
  await visitor.connect()
  await receiveAirdrop(visitor)
  const address = await activeAddress(visitor)
  await visitor.go('Send')
  await send.fill(OTHER, '0.5')
  // The node accepts the transaction, and no leader ever sees it.
  sandbox.chain.faults.add({ type: 'lose', method: 'sendTransaction' })
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await page.getByText('Waiting for the confirmation …').first().waitFor()
  await page.reload()
  await page.getByText('A transfer from before is under way.').waitFor()
  await page.getByRole('link', { name: 'Show the activity' }).click()
  const sent = page.getByRole('region', { name: 'Sent from this browser' }).getByRole('listitem')
  await sent.getByText('Under way').waitFor()
  await sent.getByText('−0.5 SOL').waitFor()

  sandbox.chain.faults.clear()
  await sent.getByText('Confirmed').waitFor()
  await page.getByText('A transfer from before is under way.').waitFor({ state: 'hidden' })
  await expect.poll(() => sent.count()).toBe(1)
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await visitor.go('Overview')
  await page.getByText('1.499995 SOL').waitFor()
})
