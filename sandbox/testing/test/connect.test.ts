import { expect, it } from 'vitest'
import { activeAddress, connectedWallets } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()
const WELCOME = 'Sign-in and wallets for your app'

it('[S1.15] [S1.16] connects a wallet on the page, listed with its own icon, and shows its account', async () => {
  const visitor = await visit()
  const { page, connectDialog, wallet } = visitor
  await connectDialog.open()
  // A wallet's own icon, drawn, and not the letter of a wallet that brings none.
  const icon = connectDialog.option('Sandbox Wallet').locator('img[src^="data:image/svg+xml"]')
  await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await connectDialog.choose('Sandbox Wallet')
  await wallet.request('Connect').getByText(new URL(page.url()).host).first().waitFor()
  await wallet.approve('Connect')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Sandbox Wallet'])
  await expect.poll(() => activeAddress(visitor)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
})

it('[S8.3] reports “User cancelled connection” when the user refuses, and connects on the next try', async () => {
  const visitor = await visit()
  const { page, connectDialog, wallet } = visitor
  await page.getByRole('button', { name: 'Events' }).click()
  await connectDialog.open()
  await connectDialog.choose('Sandbox Wallet')
  await wallet.reject('Connect')
  await connectDialog.dialog.getByText('You declined in Sandbox Wallet.').waitFor()
  await connectDialog.choose('Sandbox Wallet')
  await wallet.approve('Connect')
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Sandbox Wallet'])
  const events = page.getByRole('complementary', { name: 'Events' })
  await events.getByRole('tab', { name: 'Events' }).click()
  await events.getByText('connection:failed').click()
  await events.getByText('"message": "User cancelled connection"').waitFor()
})

it('says that the wallet is locked when the user declines to unlock it, and connects once it is unlocked', async () => {
  const visitor = await visit('/', { expectTrouble: /code: wallet_locked/ })
  const { connectDialog, wallet } = visitor
  await wallet.press('Lock wallet')
  await connectDialog.open()
  await connectDialog.choose('Sandbox Wallet')
  await wallet.reject('Unlock wallet')
  await connectDialog.dialog.getByText('Sandbox Wallet is locked.').waitFor()
  await connectDialog.choose('Sandbox Wallet')
  await wallet.approve('Unlock wallet')
  await wallet.approve('Connect')
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Sandbox Wallet'])
})

it('[S1.16] follows the wallet when it switches accounts or disconnects this site', async () => {
  const visitor = await visit()
  await visitor.connect()
  const first = await activeAddress(visitor)
  await visitor.wallet.press(/^Account 2/)
  await expect.poll(() => activeAddress(visitor)).not.toBe(first)
  await visitor.wallet.press(/^Account 1/)
  await expect.poll(() => activeAddress(visitor)).toBe(first)
  await visitor.wallet.press('Disconnect this site')
  await visitor.page.getByRole('heading', { name: WELCOME }).waitFor()
})

it('[S1.16] reconnects after a reload without a prompt, and stays disconnected after the user disconnected', async () => {
  const visitor = await visit()
  await visitor.connect()
  const address = await activeAddress(visitor)
  const { page } = visitor
  await page.reload()
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Disconnect Sandbox Wallet' }).click()
  await page.getByRole('heading', { name: WELCOME }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: WELCOME }).waitFor()
})

it('[S1.16] reconnects a wallet that registers late after a reload', async () => {
  const visitor = await visit('/lab')
  const { page, connectDialog, wallet } = visitor
  const add = page.getByRole('button', { name: 'Add Harbour Wallet' })
  await connectDialog.open()
  await expect.poll(() => connectDialog.option('Harbour Wallet').count()).toBe(0)
  await page.keyboard.press('Escape')

  await add.click()
  await connectDialog.open()
  await connectDialog.choose('Harbour Wallet')
  await wallet.approve('Connect')
  const address = await activeAddress(visitor)
  await page.reload()
  await page.getByRole('heading', { name: 'Lab', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Connect wallet' }).count()).toBe(1)
  await add.click()
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  // The app removes the wallet when the wallet leaves the page.
  await page.getByRole('button', { name: 'Remove Harbour Wallet' }).click()
  await page.getByRole('button', { name: 'Connect wallet' }).waitFor()
})

it('connecting and disconnecting a wallet applies to all tabs at once', async () => {
  const visitor = await visit()
  const other = await visitor.newTab()
  await visitor.page.bringToFront()
  await visitor.connect()
  const address = await activeAddress(visitor)
  await expect.poll(() => activeAddress(other)).toBe(address)
  await other.page.bringToFront()
  await other.page.getByRole('button', { name: 'Disconnect Sandbox Wallet' }).click()
  await other.page.getByRole('heading', { name: WELCOME }).waitFor()
  await visitor.page.getByRole('heading', { name: WELCOME }).waitFor()
})
