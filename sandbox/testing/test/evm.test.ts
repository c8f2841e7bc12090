/** Tests EVM wallets in Chromium: a real extension that announces itself by EIP-6963, from the app's own pages. */
import { addr, eip191Signer, recoverAddressTyped } from 'micro-eth-signer'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { type ExtensionBrowser, setUpExtension } from '../src/extension-browser.js'
import { connectedWallets } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox()
// This sandbox has no API, and the app logs a refusal by the wallet.
const EXPECTED = /\[keybay\] |ERR_UNSAFE_PORT/

const open = setUpExtension(sandbox, EXPECTED)

/** Answers in the extension's window, and waits until it has closed: moving the clock fails while a page closes. */
async function press(extension: ExtensionBrowser, title: string, name: 'Approve' | 'Reject' = 'Approve') {
  const window = await extension.approval(title)
  const button = window.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name })
  await Promise.all([window.waitForEvent('close'), button.click({ noWaitAfter: true })])
}
const NAME = 'Phantom (EVM)'

async function connect(extension: ExtensionBrowser, visitor: Visitor) {
  await visitor.connectDialog.open()
  await visitor.connectDialog.choose(NAME)
  await press(extension, 'Connect')
  await expect.poll(() => connectedWallets(visitor)).toContain(NAME)
}

function card(page: Page) {
  return page.getByRole('region', { name: 'EVM account' })
}

async function address(page: Page) {
  return (await card(page).locator('p.mono').textContent())?.trim() ?? ''
}

async function signature(page: Page) {
  return (await page.getByLabel('EVM signature', { exact: true }).textContent()) ?? ''
}

async function send(page: Page, to: string, amount: string) {
  await page.getByLabel('Recipient').fill(to)
  await page.getByLabel('EVM amount').fill(amount)
  await page.getByRole('button', { name: 'Send by your wallet' }).click()
}
/** Checks accessibility with axe, in both colour schemes. */
async function isForAll(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findViolations(page)).toEqual([])
  }
}
const CHAIN = { polygon: 137, base: 8453 }
const FRIEND = addr.random().address

it('an EVM wallet connects by EIP-6963, shows no balance, signs, changes chain and account, and survives a reload', async () => {
  const { extension, visitor } = await open(['evm'])
  const { page } = visitor
  await connect(extension, visitor)
  const ownAddress = await address(page)
  expect(ownAddress).toMatch(/^0x[0-9a-f]{40}$/i)
  await card(page).getByText('No balance here.').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Balance' }).count()).toBe(0)
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^EVM account/ })
    .waitFor()

  await isForAll(page)

  // The wallet knows Polygon, and prompts for Base.
  const chain = card(page).getByLabel('Chain')
  await chain.selectOption({ label: 'Polygon' })
  await expect.poll(() => page.getByRole('radio', { name: /Polygon/ }).count()).toBe(1)
  await chain.selectOption({ label: 'Base' })
  await press(extension, 'Add chain', 'Reject')
  await card(page).getByText('The chain is as it was.').waitFor()
  await expect.poll(() => chain.inputValue()).toBe(`eip155:${CHAIN.polygon}`)
  await chain.selectOption({ label: 'Base' })
  await press(extension, 'Add chain')
  await expect.poll(() => chain.inputValue()).toBe(`eip155:${CHAIN.base}`)

  await visitor.go('Sign')
  const text = 'Grüezi, EVM'
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Sign as message' }).click()
  await press(extension, 'Sign message', 'Reject')
  await page.getByText('Not signed.').waitFor()
  await page.getByRole('button', { name: 'Sign as message' }).click()
  await press(extension, 'Sign message')
  await page.getByLabel('EVM signature', { exact: true }).waitFor()
  await isForAll(page)
  expect(eip191Signer.verify(await signature(page), text, ownAddress)).toBe(true)
  await page.getByRole('button', { name: 'Sign as typed data' }).click()
  await press(extension, 'Sign typed data')
  await page.getByLabel('EVM signature', { exact: true }).waitFor()
  const typed = {
    domain: { name: 'Keybay sandbox', version: '1', chainId: BigInt(CHAIN.base) },
    primaryType: 'Letter',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Letter: [{ name: 'contents', type: 'string' }],
    },
    message: { contents: text },
  } as const
  expect(recoverAddressTyped(await signature(page), typed)).toBe(ownAddress)

  await visitor.go('Overview')
  const wallet = await extension.wallet()
  await wallet.getByRole('button', { name: /^Account 2/ }).click()
  await expect.poll(() => address(page)).not.toBe(ownAddress)
  const second = await address(page)
  await page.reload()
  await expect.poll(() => address(page)).toBe(second)
  await expect.poll(() => chain.inputValue()).toBe(`eip155:${CHAIN.base}`)
  await page.getByRole('button', { name: `Disconnect ${NAME}` }).click()
  await page.getByRole('heading', { name: 'Sign-in and wallets for your app' }).waitFor()
  await wallet.getByText('No site is connected.').waitFor()
})

it('[S9.10] sends an EVM transaction, and waits up to 180000 ms for a receipt: included, reverted or never seen', async () => {
  const { extension, visitor } = await open(['evm'])
  const { page } = visitor
  await page.clock.install()
  await connect(extension, visitor)
  await visitor.go('Send')
  await send(page, 'no-address', '1')
  await page.getByText('An EVM address begins with 0x.').waitFor()
  await isForAll(page)
  await send(page, FRIEND, '0.5')
  await press(extension, 'Send transaction', 'Reject')
  await page.getByText('Not sent.').waitFor()
  await send(page, FRIEND, '0.5')
  await press(extension, 'Send transaction')
  await page.getByText('In block 1.').waitFor()
  await page.getByText(/^0x[0-9a-f]{64}$/).waitFor()

  const wallet = await extension.wallet()
  const transactionsWill = (label: string) => wallet.getByLabel('EVM transactions').selectOption({ label })
  await transactionsWill('come into a block, undone')
  await send(page, FRIEND, '0.5')
  await press(extension, 'Send transaction')
  await page.getByText(/Transaction failed/).waitFor()

  await transactionsWill('never come into a block')
  await send(page, FRIEND, '0.5')
  await press(extension, 'Send transaction')
  await page.getByText('Sent.', { exact: true }).waitFor()
  await page.clock.fastForward(170_000)
  await page.getByRole('button', { name: 'Waiting for a block …' }).waitFor()
  await page.clock.fastForward(10_000)
  await page.getByText(/Transaction timed out/).waitFor()
  await page.getByText('Sent, but not done.').waitFor()
})

it('an EVM and a Solana wallet of the same extension have separate names, active accounts and app features', async () => {
  const { extension, visitor } = await open(['standard', 'evm'])
  const { page } = visitor
  await visitor.connectDialog.open()
  await visitor.connectDialog.dialog.getByRole('button', { name: 'Phantom', exact: true }).click()
  await press(extension, 'Connect')
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Phantom'])
  await page.getByRole('button', { name: 'Connect another wallet' }).click()
  // The user trusted this site already.
  await visitor.connectDialog.choose(NAME)
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Phantom', NAME])
  await page.getByRole('region', { name: 'Balance' }).waitFor()
  await card(page).waitFor()
  await expect.poll(() => page.getByRole('radio', { checked: true }).count()).toBe(2)
  // The menu of the active account is Solana's.
  await page.getByRole('banner').locator('.keybay-account > button').click()
  await expect.poll(() => page.locator('.keybay-menu').getByRole('radio').count()).toBe(0)
  await page.keyboard.press('Escape')
  // Sign-in uses a Solana signature.
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Phantom/ })
    .waitFor()
  await expect.poll(() => page.getByRole('dialog').getByText(NAME).count()).toBe(0)
})
