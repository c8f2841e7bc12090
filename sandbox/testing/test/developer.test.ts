import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'
import { settled } from '../src/settled.js'

const { visit } = setUpSandbox()

it.each([375, 768, 1000, 1279, 1280])(
  'the events panel leaves the header and most of the page free at %i px',
  async width => {
    const { page } = await visit('/', { viewport: { width, height: 800 } })
    await page.getByRole('button', { name: 'Events' }).press('Enter')
    const panel = page.getByRole('complementary', { name: 'Events' })
    await panel.waitFor()
    await settled(page)
    const [header, covering] = await Promise.all([page.getByRole('banner').boundingBox(), panel.boundingBox()])
    if (!header || !covering) throw new Error('not shown')
    const isBeside = header.x + header.width <= covering.x
    expect(isBeside || header.y + header.height <= covering.y).toBe(true)
    expect(isBeside || covering.height <= 0.4 * 800).toBe(true)
  },
)

it('the home page opens the events beside itself, where what the user does becomes a waterfall', async () => {
  const visitor = await visit()
  const { page } = visitor
  await page.getByRole('heading', { name: 'Sign-in and wallets for your app', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Watch it happen' }).click()
  const panel = page.getByRole('complementary', { name: 'Events' })
  await panel.getByText('Nothing has happened yet.').waitFor()
  await visitor.connect()
  const action = panel.getByRole('listitem').filter({ hasText: /^Connect wallet-standard:/ })
  await action.getByText(/^done · /).waitFor()
  await action.locator('summary').click()
  const steps = panel.getByRole('table', { name: /^Steps of “Connect wallet-standard:/ })
  await steps.getByRole('rowheader').first().waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Overview', level: 1 }).isVisible()).toBe(true)
})

it('the events panel opens, filters, copies, pauses, clears and closes by keyboard; Escape clears its filter, then closes it', async () => {
  const visitor = await visit()
  const { page } = visitor
  await page.getByRole('button', { name: 'Events' }).press('Enter')
  const panel = page.getByRole('complementary', { name: 'Events' })
  await panel.getByRole('tab', { name: 'Events' }).press('Enter')
  const entries = panel.getByRole('listitem')
  await panel.getByLabel('Filter events').fill('connection:opened')
  await panel.getByText('No event has these words.').waitFor()
  await visitor.connect()
  await expect.poll(() => entries.count()).toBe(1)
  await entries.first().locator('summary').press('Enter')
  await entries.getByText('wallet-standard:').first().waitFor()

  await panel.getByLabel('Filter events').fill('')
  await panel.getByRole('button', { name: 'Copy events as JSON' }).press('Enter')
  await page.getByText('Copied').first().waitFor()
  const events: readonly { readonly event: string }[] = JSON.parse(
    await page.evaluate(() => navigator.clipboard.readText()),
  )
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['connection:opening', 'connection:opened']))
  await panel.getByRole('button', { name: 'Pause' }).press('Space')
  const before = await entries.count()
  await page.getByRole('button', { name: 'Disconnect Sandbox Wallet' }).click()
  await panel.getByText(/^Paused\. \d+ new since\.$/).waitFor()
  await expect.poll(() => entries.count()).toBe(before)
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
  await expect.poll(() => panel.getByRole('searchbox').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate(element => element === document.activeElement)).toBe(true)
})
