// @vitest-environment happy-dom
/** The explorer and the activity on a real chain: tokens, notes, and addresses that no chain can know. */
import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { configurePage, setUpScreen, show } from './screen.js'

const setup = setUpScreen()
configurePage()
const { History } = await import('../src/explorer/history.js')
const { readTransaction } = await import('../src/explorer/transaction.js')
const { TransactionPage } = await import('../src/explorer/transaction-page.js')

async function mint(owner: string): Promise<void> {
  const order = { owner, symbol: 'DEMO', amount: '100000000', program: 'spl-token' }
  const response = await fetch(`${setup.chain.url}/admin/mint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  expect(response.ok).toBe(true)
}

it('shows tokens that arrive and leave by amount and name, in the history and in the transaction', async () => {
  const { keybay, address } = await setup.open()
  await mint(address)
  const history = show(keybay, <History address={address} limit={5} />)
  await history.sees('+100 DEMO')
  expect(history.element.textContent).not.toContain('0 SOL ')
  const accounts = await (await keybay.solana.steps()).tokenAccounts(address)
  const to = Keypair.generate().publicKey.toBase58()
  const token = accounts[0]?.mint ?? ''
  const { signature } = await keybay.solana.send({ to, token, amount: 1_500_000n })
  await history.sees('−1.5 DEMO')

  const page = show(keybay, <TransactionPage signature={signature} />)
  await page.sees('+1.5 DEMO')
  await page.sees('−1.5 DEMO')
  expect(page.element.textContent).not.toContain('{"amount"')
  const rows = [...page.element.querySelectorAll('.changes > li')].map(({ textContent }) => textContent)
  expect(rows.filter(row => row?.includes(' 0 SOL'))).toEqual([])
})

it('shows a note as it was written', async () => {
  const { keybay, address } = await setup.open()
  const to = Keypair.generate().publicKey.toBase58()
  await keybay.solana.send({ to, lamports: 100_000_000n, memo: 'für [9] Brote; danke' })
  const history = show(keybay, <History address={address} limit={5} />)
  await history.sees('für [9] Brote; danke')
  expect(history.element.textContent).not.toMatch(/\[\d+\] für/)
})

it('shows each field of an instruction or error that it does not know, by the way to the field', () => {
  const info = { newAuthority: null, config: { rate: 5, keys: ['a', 'b'] }, tokenAmount: { uiAmountString: '1.5' } }
  const instructions = [{ program: 'other', programId: 'p', parsed: { type: 'set', info } }]
  const read = (err: unknown) =>
    readTransaction({ transaction: { message: { instructions } }, meta: { err } }, 'confirmed')
  const { error, instructions: shown } = read({ InstructionError: [1, { Custom: 6001 }] })
  expect(shown[0]?.details).toEqual([
    ['newAuthority', 'null'],
    ['config rate', '5'],
    ['config keys 1', 'a'],
    ['config keys 2', 'b'],
    ['tokenAmount', '1.5'],
  ])
  expect(error).toBe('Instruction 2 Custom: 6001')
  expect(read({ InstructionError: [0, 'InvalidAccountData'] }).error).toBe('Instruction 1: InvalidAccountData')
  expect(read('BlockhashNotFound').error).toBe('BlockhashNotFound')
})

it('says that a text is no signature, and does not ask the chain for it again and again', async () => {
  const { keybay } = await setup.open(0n)
  const page = show(keybay, <TransactionPage signature="abc" />)
  await page.sees('Not a signature')
  expect(page.element.textContent).not.toContain('-32602')
})
