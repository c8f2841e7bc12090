/** A real extension in Chromium: real clicks in its window, and what Chromium and people do to extensions. */
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { type ExtensionBrowser, openExtensionBrowser, type Way } from '../src/extension-browser.js'
import { connectedWallets, eventually, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import { createVisitor, type Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox()
let browser: ExtensionBrowser | undefined
let person: Visitor | undefined
afterEach(async () => {
  const troubles = person?.troubles ?? []
  await browser?.close()
  browser = undefined
  person = undefined
  expect(troubles).toEqual([])
})
// There is no API in this sandbox, and a refusal by the wallet is logged.
const EXPECTED = /\[keybay\] (connect|sign\w*|disconnect) |ERR_UNSAFE_PORT/

async function open(ways: readonly Way[]) {
  const opened = await openExtensionBrowser(ways, sandbox.chain.url)
  browser = opened
  const visitor = createVisitor(opened.context, { base: sandbox.app.url, expectTrouble: EXPECTED })
  person = visitor
  await visitor.open('/')
  return { extension: opened, person: visitor, page: visitor.page }
}
/** In the extension's window. */
async function press(extension: ExtensionBrowser, title: string, button: 'Approve' | 'Reject' | 'Unlock') {
  const window = await extension.approval(title)
  await window.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
}

async function connect(extension: ExtensionBrowser, visitor: Visitor) {
  await visitor.connectDialog.open()
  await visitor.connectDialog.choose('Phantom')
  await press(extension, 'Connect', 'Approve')
  expect(await connectedWallets(visitor)).toEqual(['Phantom'])
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

describe.each([
  ['injected', ['injected']],
  ['announced', ['standard']],
  ['both', ['injected', 'standard']],
] as const)('an extension that is %s', (_name, ways) => {
  it('[S1.15] is listed once, connects by its window, signs and sends', async () => {
    const { extension, person, page } = await open(ways)
    await person.connectDialog.open()
    expect(await person.connectDialog.option('Phantom').count()).toBe(1)
    await page.keyboard.press('Escape')
    await connect(extension, person)
    await receiveAirdrop(person)
    await person.go('Sign')
    await sign(page)
    await press(extension, 'Sign message', 'Approve')
    await page.getByText('Signature', { exact: true }).first().waitFor()
    await person.go('Send')
    await person.send.fill(await addressIn(await extension.wallet(), 'Account 2'), '0.5')
    await person.send.submit.click()
    await press(extension, 'Approve transaction', 'Approve')
    await person.send.confirmed.waitFor()
  })
})

describe('an extension', () => {
  it('is still connected after a reload; a refusal and a closed window say no', async () => {
    const { extension, person, page } = await open(['injected'])
    await person.connectDialog.open()
    await person.connectDialog.choose('Phantom')
    await press(extension, 'Connect', 'Reject')
    await person.connectDialog.dialog.getByText('You declined in Phantom.').waitFor()
    await person.connectDialog.choose('Phantom')
    await (await extension.approval('Connect')).close()
    await person.connectDialog.dialog.getByText('You declined in Phantom.').waitFor()
    await person.connectDialog.choose('Phantom')
    await press(extension, 'Connect', 'Approve')
    expect(await connectedWallets(person)).toEqual(['Phantom'])
    await page.reload()
    await eventually(() => connectedWallets(person)).toEqual(['Phantom'])
  })
  it('answers though its worker was ended while it asked', async () => {
    const { extension, person, page } = await open(['injected'])
    await connect(extension, person)
    await person.go('Sign')
    await sign(page)
    const window = await extension.approval('Sign message')
    await extension.killWorker()
    await window
      .getByRole('dialog', { name: 'Sign message', exact: true })
      .getByRole('button', { name: 'Approve' })
      .click()
    await page.getByText('Signature', { exact: true }).first().waitFor()
  })
  it('switches its account and its lock, and the app follows', async () => {
    const { extension, person, page } = await open(['injected'])
    await connect(extension, person)
    const wallet = await extension.wallet()
    const second = await addressIn(wallet, 'Account 2')
    await wallet.getByRole('button', { name: /^Account 2/ }).click()
    await eventually(() => page.getByRole('main').textContent()).toContain(second.slice(0, 4))
    await wallet.getByRole('button', { name: 'Lock wallet' }).click()
    await page.getByRole('heading', { name: 'Connect a wallet and move some SOL' }).waitFor()
    await person.connectDialog.open()
    await person.connectDialog.choose('Phantom')
    await press(extension, 'Unlock wallet', 'Unlock')
    expect(await connectedWallets(person)).toEqual(['Phantom'])
    await wallet.getByRole('button', { name: /^Disconnect app\.localhost/ }).click()
    await page.getByRole('heading', { name: 'Connect a wallet and move some SOL' }).waitFor()
  })
  it.each(['updated', 'disabled'] as const)('that is %s while it is connected: the app says what to do', async what => {
    const { extension, person, page } = await open(['injected'])
    await connect(extension, person)
    await person.go('Sign')
    await (what === 'updated' ? extension.update() : extension.disable())
    await sign(page)
    await page
      .getByText(/The wallet’s extension was updated or turned off/)
      .first()
      .waitFor()
    await page.reload()
    if (what === 'disabled') {
      await page.getByRole('button', { name: 'Connect wallet', exact: true }).first().click()
      await person.connectDialog.dialog.getByRole('link', { name: /^Phantom/ }).waitFor()
    } else await page.getByRole('button', { name: 'Sign message' }).waitFor()
  })
})
