import { expect, it } from 'vitest'
import { eventually, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'

it('[S4.5] lists the steps of a transaction as events, without secrets', async () => {
  const visitor = await visit()
  const { page, send, wallet } = visitor
  await page.getByRole('button', { name: 'Events' }).click()
  const panel = page.getByRole('complementary', { name: 'Events' })
  await visitor.connect()
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  await send.fill(OTHER, '0.1')
  await send.submit.click()
  await wallet.approve('Approve transaction')
  await send.confirmed.waitFor()

  await panel.getByRole('button', { name: 'Copy events as JSON' }).click()
  await page.getByText('Copied').first().waitFor()
  const json = await page.evaluate(() => navigator.clipboard.readText())
  const events: readonly { readonly event: string; readonly payload: { readonly step?: string } }[] = JSON.parse(json)
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['connection:opening', 'connection:opened']))
  const steps = events.filter(({ event }) => event === 'transaction:step').map(({ payload }) => payload.step)
  expect(steps).toEqual(['built', 'fee', 'signed', 'sent', 'confirmed'])
  const keys: readonly string[] = await page.evaluate(
    () => JSON.parse(localStorage.getItem('keybay-sandbox-wallet:keyring') ?? '{}').secretKeys,
  )
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) expect(json).not.toContain(key)
})

it('the events panel opens, filters, pauses, clears and closes by keyboard; Escape clears its filter, then closes it', async () => {
  const visitor = await visit()
  const { page } = visitor
  await page.getByRole('button', { name: 'Events' }).press('Enter')
  const panel = page.getByRole('complementary', { name: 'Events' })
  const entries = panel.getByRole('listitem')
  await panel.getByLabel('Filter events').fill('connection:opened')
  await panel.getByText('No event has these words.').waitFor()
  await visitor.connect()
  await eventually(() => entries.count()).toBe(1)
  await entries.first().locator('summary').press('Enter')
  await entries.getByText('wallet-standard:').first().waitFor()

  await panel.getByLabel('Filter events').fill('')
  await panel.getByRole('button', { name: 'Pause' }).press('Space')
  const before = await entries.count()
  await page.getByRole('button', { name: 'Disconnect Sandbox Wallet' }).click()
  await panel.getByText(/^Paused\. \d+ new since\.$/).waitFor()
  expect(await entries.count()).toBe(before)
  await panel.getByRole('button', { name: 'Pause' }).press('Space')
  await panel.getByText('connection:closed').waitFor()

  await panel.getByRole('button', { name: 'Clear' }).press('Enter')
  await panel.getByText('Nothing has happened yet.').waitFor()
  await panel.getByRole('button', { name: 'Close events' }).press('Enter')
  await panel.waitFor({ state: 'hidden' })

  const button = page.getByRole('button', { name: 'Events' })
  await button.press('Enter')
  await panel.getByRole('searchbox').fill('transaction')
  await page.keyboard.press('Escape')
  expect(await panel.getByRole('searchbox').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await button.evaluate(element => element === document.activeElement)).toBe(true)
})
