import { expect, it } from 'vitest'
import { activeAddress, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens, LOOKS } from '../src/screens.js'
import type { Visitor } from '../src/visitor.js'

const { visit } = setUpSandbox()

/** Brings the visitor to each screen in turn. */
const screens: readonly {
  readonly name: string
  readonly connected: boolean
  readonly show: (visitor: Visitor) => Promise<void>
}[] = [
  { name: 'welcome', connected: false, show: async () => {} },
  {
    name: 'send without a wallet',
    connected: false,
    show: async visitor => {
      await visitor.go('Send')
      await visitor.page.getByText('Connect a wallet to send').waitFor()
    },
  },
  {
    name: 'network with an error',
    connected: false,
    show: async ({ page }) => {
      await page.getByRole('link', { name: 'Node' }).click()
      await page.getByText('The network’s own nodes').waitFor()
      await page.getByRole('button', { name: 'Use this node' }).click()
      await page.getByText('Not the address of a node.').waitFor()
    },
  },
  { name: 'connect dialog', connected: false, show: ({ connectDialog }) => connectDialog.open() },
  {
    name: 'refused connection',
    connected: false,
    show: async ({ connectDialog, wallet }) => {
      await connectDialog.choose('Sandbox Wallet')
      await wallet.reject('Connect')
      await connectDialog.dialog.getByText('You declined in Sandbox Wallet.').waitFor()
    },
  },
  {
    name: 'overview',
    connected: true,
    show: async visitor => {
      await receiveAirdrop(visitor)
      await visitor.page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'send with errors',
    connected: true,
    show: async visitor => {
      await visitor.go('Send')
      await visitor.send.submit.click()
      await visitor.page.getByText('Destination is required').waitFor()
    },
  },
  {
    name: 'sent',
    connected: true,
    show: async visitor => {
      await visitor.send.fill('GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W', '0.25')
      await visitor.send.submit.click()
      await visitor.wallet.approve('Approve transaction')
      await visitor.send.confirmed.waitFor()
    },
  },
  {
    name: 'transaction',
    connected: true,
    show: async visitor => {
      await visitor.send.explorerLink.click()
      await visitor.page.getByText('Succeeded').waitFor()
    },
  },
  {
    name: 'block',
    connected: true,
    show: async ({ page }) => {
      await page.getByRole('region', { name: 'Summary' }).getByRole('link').first().click()
      await page.getByText('Blockhash').waitFor()
    },
  },
  {
    name: 'tokens',
    connected: true,
    show: async visitor => {
      await visitor.go('Overview')
      await visitor.page.getByRole('button', { name: 'Get test tokens' }).click()
      await visitor.page.getByRole('region', { name: 'Tokens' }).getByText('100 NOTE').waitFor()
    },
  },
  {
    name: 'send a token that keeps a fee',
    connected: true,
    show: async ({ page, send }) => {
      await page.getByRole('link', { name: 'Send FEE' }).click()
      await send.fill('GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W', '10')
      await page.getByText('FEE keeps a part of each transfer.').waitFor()
    },
  },
  {
    name: 'activity',
    connected: true,
    show: async visitor => {
      await visitor.go('Overview')
      await visitor.page.getByRole('link', { name: 'Show all' }).click()
      await visitor.page.getByRole('region', { name: 'Sent from this browser' }).getByText('Confirmed').waitFor()
    },
  },
  {
    name: 'receive',
    connected: true,
    show: async visitor => {
      await visitor.go('Receive')
      await visitor.page.getByRole('img', { name: 'QR code of your address' }).waitFor()
    },
  },
  {
    name: 'signed message',
    connected: true,
    show: async visitor => {
      await visitor.go('Sign')
      await visitor.page.getByRole('button', { name: 'Sign message' }).click()
      await visitor.wallet.approve('Sign message')
      await visitor.page.getByText('The signature is valid.').waitFor()
    },
  },
  {
    name: 'explorer',
    connected: true,
    show: async visitor => {
      await visitor.go('Explorer')
      await visitor.page.getByRole('definition').getByRole('link').waitFor()
    },
  },
  {
    name: 'address',
    connected: true,
    show: async visitor => {
      const address = await activeAddress(visitor)
      await visitor.page.getByLabel('Transaction signature, address or slot').fill(address)
      await visitor.page.keyboard.press('Enter')
      await visitor.page.getByRole('region', { name: 'Transactions' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'lab',
    connected: true,
    show: async visitor => {
      await visitor.go('Lab')
      await visitor.page.getByRole('button', { name: 'Open wallet' }).waitFor()
    },
  },
  {
    name: 'events',
    connected: true,
    show: async ({ page }) => {
      await page.getByRole('button', { name: 'Events' }).click()
      await page.getByText('connection:opened').waitFor()
    },
  },
  {
    name: 'page not found',
    connected: true,
    show: async visitor => {
      await visitor.open('/nothing')
      await visitor.page.getByText('There is nothing at this address').waitFor()
    },
  },
]

it.each([false, true])('no screen has axe violations, and none is too wide (connected: %s)', async connected => {
  const visitor = await visit()
  if (connected) await visitor.connect()
  const { inspect, problems } = inspectScreens(visitor.page, [...LOOKS, { colours: 'dark', width: 1280 }])
  const titles: string[] = []
  for (const screen of screens.filter(screen => screen.connected === connected)) {
    await screen.show(visitor)
    await inspect(screen.name)
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
  expect(await background()).toBe(light)
  await page.getByRole('button', { name: /^Light colours/ }).click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.reload()
  expect(await background()).toBe(dark)
  await page.getByRole('button', { name: /^Dark colours/ }).click()
  expect(await background()).toBe(light)
})
