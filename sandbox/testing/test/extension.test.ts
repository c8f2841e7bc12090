/** Tests a real extension in Chromium: real clicks in its window, and what Chromium and users do to extensions. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ExtensionBrowser, setUpExtension } from '../src/extension-browser.js'
import { beginTokenTransfer, connectedWallets, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox()
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'
// This sandbox has no API, and the app logs a refusal by the wallet.
const EXPECTED = /\[keybay\] (connect|sign\w*|disconnect) |ERR_UNSAFE_PORT/

const open = setUpExtension(sandbox, EXPECTED)
async function press(extension: ExtensionBrowser, title: string, button: 'Approve' | 'Reject' | 'Unlock') {
  const window = await extension.approval(title)
  await window.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
}

async function connect(extension: ExtensionBrowser, visitor: Visitor) {
  await visitor.connectDialog.open()
  await visitor.connectDialog.choose('Phantom')
  await press(extension, 'Connect', 'Approve')
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Phantom'])
}

function sign(page: Page) {
  return page.getByRole('button', { name: 'Sign message' }).click()
}

async function addressIn(wallet: Page, account: string) {
  return (
    (await wallet
      .getByRole('button', { name: new RegExp(`^${account}`) })
      .locator('.mono')
      .first()
      .textContent()) ?? ''
  )
}

describe('an extension', () => {
  it('[S1.15] an extension wallet that injects and registers is listed once, connects in its own window, signs, sends, and shows the amount of a token and who gets it', async () => {
    const { extension, visitor } = await open(['injected', 'standard'])
    const { page } = visitor
    await visitor.connectDialog.open()
    await expect.poll(() => visitor.connectDialog.option('Phantom').count()).toBe(1)
    await page.keyboard.press('Escape')
    await connect(extension, visitor)
    await receiveAirdrop(visitor)
    await visitor.go('Sign')
    await sign(page)
    await press(extension, 'Sign message', 'Approve')
    await page.getByText('Signature', { exact: true }).first().waitFor()
    await visitor.go('Send')
    await visitor.send.fill(await addressIn(await extension.wallet(), 'Account 2'), '0.5')
    await visitor.send.submit.click()
    await press(extension, 'Approve transaction', 'Approve')
    await visitor.send.confirmed.waitFor()
    await visitor.go('Overview')
    await beginTokenTransfer(visitor, OTHER, '1.5')
    const request = (await extension.approval('Approve transaction')).getByRole('dialog')
    await request.getByText('1.5 DEMO').waitFor()
    await request.getByText(OTHER).first().waitFor()
    await request.getByRole('button', { name: 'Approve' }).click()
    await visitor.send.confirmed.waitFor()
  })
  it('a refusal and a closed window decline, the wallet stays connected after a reload and signs although its worker ended, and the app follows when it switches accounts, locks or disconnects the site', async () => {
    const { extension, visitor } = await open(['injected'])
    const { page } = visitor
    await visitor.connectDialog.open()
    await visitor.connectDialog.choose('Phantom')
    await press(extension, 'Connect', 'Reject')
    await visitor.connectDialog.dialog.getByText('You declined in Phantom.').waitFor()
    await visitor.connectDialog.choose('Phantom')
    await (await extension.approval('Connect')).close()
    await visitor.connectDialog.dialog.getByText('You declined in Phantom.').waitFor()
    await visitor.connectDialog.choose('Phantom')
    await press(extension, 'Connect', 'Approve')
    await expect.poll(() => connectedWallets(visitor)).toEqual(['Phantom'])
    await page.reload()
    await expect.poll(() => connectedWallets(visitor)).toEqual(['Phantom'])
    await visitor.go('Sign')
    await sign(page)
    const window = await extension.approval('Sign message')
    await extension.killWorker()
    await window
      .getByRole('dialog', { name: 'Sign message', exact: true })
      .getByRole('button', { name: 'Approve' })
      .click()
    await page.getByText('Signature', { exact: true }).first().waitFor()
    await visitor.go('Overview')
    const wallet = await extension.wallet()
    const second = await addressIn(wallet, 'Account 2')
    await wallet.getByRole('button', { name: /^Account 2/ }).click()
    await expect.poll(() => page.getByRole('main').textContent()).toContain(second.slice(0, 4))
    await wallet.getByRole('button', { name: 'Lock wallet' }).click()
    await page.getByRole('heading', { name: 'Sign-in and wallets for your app' }).waitFor()
    await visitor.connectDialog.open()
    await visitor.connectDialog.choose('Phantom')
    await press(extension, 'Unlock wallet', 'Unlock')
    await expect.poll(() => connectedWallets(visitor)).toEqual(['Phantom'])
    await wallet.getByRole('button', { name: /^Disconnect app\.localhost/ }).click()
    await page.getByRole('heading', { name: 'Sign-in and wallets for your app' }).waitFor()
  })
  it('says what to do when a connected extension is updated, and when it is turned off', async () => {
    const { extension, visitor } = await open(['injected'])
    const { page } = visitor
    await connect(extension, visitor)
    await visitor.go('Sign')
    for (const act of [extension.update, extension.disable]) {
      await act()
      await sign(page)
      await page
        .getByText(/The wallet’s extension was updated or turned off/)
        .first()
        .waitFor()
      await page.reload()
      if (act === extension.update) await page.getByRole('button', { name: 'Sign message' }).waitFor()
    }
    await page.getByRole('button', { name: 'Connect wallet', exact: true }).first().click()
    await visitor.connectDialog.dialog.getByRole('link', { name: /^Phantom/ }).waitFor()
  })
})
