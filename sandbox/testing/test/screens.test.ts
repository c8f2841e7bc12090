import { expect, it } from 'vitest'
import { activeAddress, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'
import type { Visitor } from '../src/visitor.js'

const { visit } = setUpSandbox()

type Screen = readonly [name: string, show: (visitor: Visitor) => Promise<void>]

/** Each entry brings the visitor from the screen before it to the next one. */
const WITHOUT_WALLET: readonly Screen[] = [
  ['welcome', async () => {}],
  [
    'send without a wallet',
    async visitor => {
      await visitor.go('Send')
      await visitor.page.getByText('Connect a wallet to send').waitFor()
    },
  ],
  [
    'network with an error',
    async ({ page }) => {
      await page.getByRole('link', { name: 'Node' }).click()
      await page.getByText('The network’s own nodes').waitFor()
      await page.getByRole('button', { name: 'Use this node' }).click()
      await page.getByText('Not the address of a node.').waitFor()
    },
  ],
  ['connect dialog', ({ connectDialog }) => connectDialog.open()],
  [
    'refused connection',
    async ({ connectDialog, wallet }) => {
      const { dialog } = connectDialog
      const before = await dialog.boundingBox()
      await connectDialog.choose('Sandbox Wallet')
      await dialog.getByText('Confirm in Sandbox Wallet…').waitFor()
      await expect.poll(() => dialog.boundingBox()).toEqual(before)
      await wallet.reject('Connect')
      await connectDialog.dialog.getByText('You declined in Sandbox Wallet.').waitFor()
    },
  ],
]

const CONNECTED: readonly Screen[] = [
  [
    'overview',
    async visitor => {
      await receiveAirdrop(visitor)
      await visitor.page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor()
    },
  ],
  [
    'account menu',
    async ({ page }) => {
      await page.getByRole('banner').locator('.keybay-account button').click()
      const menu = page.locator('.keybay-menu')
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const isWhole = () =>
          menu.evaluate(box => box.scrollWidth === box.clientWidth && box.getBoundingClientRect().x >= 0)
        await expect.poll(isWhole).toBe(true)
      }
    },
  ],
  [
    'send with errors',
    async visitor => {
      await visitor.go('Send')
      await visitor.send.submit.click()
      await visitor.page.getByText('Destination is required').waitFor()
    },
  ],
  [
    'sent',
    async visitor => {
      await visitor.send.fill('GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W', '0.25')
      await visitor.send.submit.click()
      await visitor.wallet.approve('Approve transaction')
      await visitor.send.confirmed.waitFor()
    },
  ],
  [
    'transaction',
    async visitor => {
      await visitor.send.explorerLink.click()
      await visitor.page.getByText('Succeeded').waitFor()
    },
  ],
  [
    'block',
    async ({ page }) => {
      await page.getByRole('region', { name: 'Summary' }).getByRole('link').first().click()
      await page.getByText('Blockhash').waitFor()
    },
  ],
  [
    'tokens',
    async visitor => {
      await visitor.go('Overview')
      await visitor.page.getByRole('button', { name: 'Get test tokens' }).click()
      await visitor.page.getByRole('region', { name: 'Tokens' }).getByText('100 NOTE').waitFor()
    },
  ],
  [
    'send a token that keeps a fee',
    async ({ page, send }) => {
      await page.getByRole('link', { name: 'Send FEE' }).click()
      await send.fill('GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W', '10')
      await page.getByText('FEE keeps a part of each transfer.').waitFor()
    },
  ],
  [
    'activity',
    async visitor => {
      await visitor.go('Overview')
      await visitor.page.getByRole('link', { name: 'Show all' }).click()
      await visitor.page.getByRole('region', { name: 'Sent from this browser' }).getByText('Confirmed').waitFor()
    },
  ],
  [
    'receive',
    async visitor => {
      await visitor.go('Receive')
      await visitor.page.getByRole('img', { name: 'QR code of your address' }).waitFor()
    },
  ],
  [
    'signed message',
    async visitor => {
      await visitor.go('Sign')
      await visitor.page.getByRole('button', { name: 'Sign message' }).click()
      await visitor.wallet.approve('Sign message')
      await visitor.page.getByText('The signature is valid.').waitFor()
    },
  ],
  [
    'explorer',
    async visitor => {
      await visitor.go('Explorer')
      await visitor.page.getByRole('definition').getByRole('link').waitFor()
      await visitor.page.getByRole('list', { name: 'Recent blocks' }).getByRole('link').first().waitFor()
    },
  ],
  [
    'address',
    async visitor => {
      const address = await activeAddress(visitor)
      await visitor.page.getByLabel('Transaction signature, address or slot').fill(address)
      await visitor.page.keyboard.press('Enter')
      await visitor.page.getByRole('region', { name: 'Transactions' }).getByRole('listitem').first().waitFor()
    },
  ],
  [
    'lab',
    async visitor => {
      await visitor.go('Lab')
      await visitor.page.getByRole('button', { name: 'Open wallet' }).waitFor()
    },
  ],
  [
    'events',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Events' }).click()
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByText('connection:opened').waitFor()
    },
  ],
  [
    'page not found',
    async visitor => {
      await visitor.open('/nothing')
      await visitor.page.getByText('There is nothing at this address').waitFor()
    },
  ],
]

it.each([false, true])('no screen has axe violations, and none is too wide (connected: %s)', async connected => {
  const visitor = await visit()
  if (connected) await visitor.connect()
  const { inspect, problems } = inspectScreens(visitor.page)
  const titles: string[] = []
  for (const [name, show] of connected ? CONNECTED : WITHOUT_WALLET) {
    await show(visitor)
    await inspect(name)
    titles.push(await visitor.page.title())
  }
  expect(problems).toEqual([])
  for (const title of titles) expect(title).toMatch(/^\S.* · Keybay sandbox$/)
})

it('keeps the chosen colours regardless of the system setting', async () => {
  const visitor = await visit('/', { colorScheme: 'light' })
  const { page } = visitor
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await page.getByRole('button', { name: /^Colours follow the system/ }).click()
  await expect.poll(background).toBe(light)
  await page.getByRole('button', { name: /^Light colours/ }).click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.reload()
  await expect.poll(background).toBe(dark)
  await page.getByRole('button', { name: /^Dark colours/ }).click()
  await expect.poll(background).toBe(light)
})
