import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()
const PICTURE = fileURLToPath(new URL('../.reports/screenshot.png', import.meta.url))
/** Maximum size in bytes. */
const MAX = 300_000
const RECEIVERS = ['GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin']

it('takes the screenshot of the app that the READMEs show', async () => {
  const visitor = await visit('/', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
  const { page, send, wallet } = visitor
  await page.getByRole('button', { name: 'Events' }).click()
  await visitor.connect()
  await receiveAirdrop(visitor)
  for (const receiver of RECEIVERS) {
    await visitor.go('Send')
    await send.fill(receiver, '0.25')
    await send.submit.click()
    await wallet.approve('Approve transaction')
    await send.confirmed.waitFor()
  }
  // On a slow machine the toasts may close by themselves first.
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  await dismiss.evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click()
  })
  await dismiss.first().waitFor({ state: 'detached' })
  await visitor.go('Overview')
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByRole('listitem').nth(RECEIVERS.length).waitFor()
  await page.getByText('1.49999 SOL').waitFor()
  await page.mouse.move(0, 0)
  await page.getByRole('heading', { name: 'Overview' }).focus()
  await page.screenshot({ path: PICTURE })
  expect(statSync(PICTURE).size).toBeLessThan(MAX)
})
