import { expect, it } from 'vitest'
import { focused, tabTo } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'
it('connects, signs and sends by keyboard alone, with the focus always visible', async () => {
  const { page, wallet, send } = await visit()
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toBe('Skip to content')
  await page.keyboard.press('Enter')

  await tabTo(page, 'Connect wallet')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Sandbox Wallet/)
  await page.keyboard.press('Enter')
  await wallet.request('Connect').waitFor()
  await tabTo(page, 'Approve')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await tabTo(page, 'Airdrop 2 SOL')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Balance' }).getByText('2 SOL', { exact: true }).waitFor()

  await tabTo(page, 'Sign')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign and verify' }).waitFor()
  // The focus moved to the new page, so the next stop is the form.
  await expect.poll(() => focused(page)).toBe('Sign and verify')
  await tabTo(page, 'Sign message')
  await page.keyboard.press('Enter')
  await wallet.request('Sign message').waitFor()
  await tabTo(page, 'Approve')
  await page.keyboard.press('Enter')
  await page.getByText('The signature is valid.').waitFor()

  await tabTo(page, 'Send')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Send SOL' }).waitFor()
  await tabTo(page, 'Destination')
  await page.keyboard.type(OTHER)
  await tabTo(page, 'Amount')
  await page.keyboard.type('0.5')
  await page.keyboard.press('Enter')
  await wallet.request('Approve transaction').waitFor()
  await tabTo(page, 'Approve')
  await page.keyboard.press('Enter')
  await send.confirmed.waitFor()
  await tabTo(page, 'Show the transaction in the explorer')
  await page.keyboard.press('Enter')
  await page.getByText('Succeeded').waitFor()
})

it('the menu at the bottom of a narrow page does not cover the focused element', async () => {
  const { page } = await visit('/account', { viewport: { width: 360, height: 640 } })
  await tabTo(page, 'Lab: wallets to try')
  const isInSight = () =>
    page.evaluate(() => {
      const { left, right, top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
      return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === document.activeElement
    })
  await expect.poll(isInSight).toBe(true)
})
