import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()

it('shows and copies the user’s receiving address, and shows a payment from another user', async () => {
  const receiver = await visit()
  await receiver.connect()
  await receiver.go('Receive')
  const { page } = receiver
  await page.getByRole('button', { name: 'Copy address' }).click()
  await page.getByText('Copied').waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toBe(await activeAddress(receiver))
  await receiver.go('Overview')

  const sender = await visit()
  await sender.connect()
  await sender.page.getByRole('button', { name: 'Airdrop 2 SOL' }).click()
  await sender.page.getByText('2 SOL arrived').waitFor()
  await sender.go('Send')
  await sender.send.fill(address, '1.25')
  await sender.send.submit.click()
  await sender.wallet.approve('Approve transaction')
  await sender.send.confirmed.waitFor()

  // The chain reports the change; the receiver does nothing.
  const balance = page.getByRole('region', { name: 'Balance' }).getByText('1.25 SOL', { exact: true })
  await expect.poll(() => balance.count()).toBe(1)
})
