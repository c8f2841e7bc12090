import { expect, it } from 'vitest'
import { receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox()
/** The browser logs each failed request; the page shows its own text. */
const UNREACHABLE = /Failed to load resource|WebSocket connection to/
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'

it('[S1.15] [S7.7] [S4.5] sends SOL step by step, shows the confirmation, and finds the transfer in the explorer', async () => {
  const visitor = await sandbox.visit()
  const { page, send, wallet } = visitor
  await visitor.connect()
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  await send.fill(OTHER, '0.25')
  await page.getByText('0.000005 SOL').waitFor()
  await send.submit.click()
  const request = wallet.request('Approve transaction')
  await request.getByText('0.25 SOL').waitFor()
  await request.getByText(OTHER).waitFor()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()
  const steps = await send.progress.getByRole('listitem').allInnerTexts()
  expect(steps.map(text => text.split(/\s/)[0])).toEqual(['Built', 'Fee', 'Signed', 'Sent', 'Confirmed'])

  await send.explorerLink.click()
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Transaction', level: 1 }).waitFor()
  await main.getByText('Succeeded').waitFor()
  await main.getByText('+0.25 SOL').waitFor()
  await main.getByText('transfer', { exact: true }).waitFor()
  await main.getByText('Program 11111111111111111111111111111111 success').waitFor()

  await visitor.go('Overview')
  await page.getByText('1.749995 SOL').waitFor()
  // The airdrop and the transfer.
  await expect.poll(() => page.getByRole('region', { name: 'Activity' }).getByRole('listitem').count()).toBe(2)
})

it('[S5.5] [S5.4] reports an invalid destination or amount before it asks the wallet', async () => {
  const visitor = await sandbox.visit()
  const { page, send } = visitor
  await visitor.connect()
  await visitor.go('Send')
  await send.submit.click()
  await page.getByText('Destination is required').waitFor()
  await expect.poll(() => send.to.evaluate(element => element === document.activeElement)).toBe(true)

  await send.fill(OTHER.slice(0, 31), '1')
  await send.submit.click()
  await page.getByText('this has 31').waitFor()
  await send.to.fill(`${OTHER.slice(0, -1)}0`)
  await page.getByText('This is not a Solana address').waitFor()
  await send.fill(OTHER, '0')
  await page.getByText('Enter more than 0.').waitFor()
  await expect.poll(() => send.progress.count()).toBe(0)
})

it('[S8.3] says “Insufficient funds.” and does not ask the wallet', async () => {
  const visitor = await sandbox.visit()
  const { page, send } = visitor
  await visitor.connect()
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  await send.fill(OTHER, '2')
  await send.submit.click()
  await page.getByText('Insufficient funds.', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  // The whole amount does not fit with the fee; a smaller amount does.
  await send.amount.fill('1.9')
  await send.submit.click()
  await visitor.wallet.approve('Approve transaction')
  await send.confirmed.waitFor()
})

it('[S7.7] says that the chain is down, keeps showing the balance, and sends when the chain is back', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  const { page, send, wallet } = visitor
  await visitor.connect()
  await receiveAirdrop(visitor)
  await sandbox.stopChain()
  await page.getByText('Solana Localnet does not answer').waitFor()
  await expect
    .poll(() => page.getByRole('region', { name: 'Balance' }).getByText('2 SOL', { exact: true }).isVisible())
    .toBe(true)

  await sandbox.resumeChain()
  await page.getByText('Solana Localnet does not answer').waitFor({ state: 'hidden' })
  await visitor.go('Send')
  await send.fill(OTHER, '0.5')
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()
  await visitor.go('Overview')
  await page.getByText('1.499995 SOL').waitFor()
})
