import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, openAdvanced, openSecurity, openWallets, shownWallet } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens, NARROW, WIDE } from '../src/screens.js'
import type { Visitor } from '../src/visitor.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

/** Pages of one wallet, with their titles; delegates have tests of their own. */
const PAGES = [
  ['backup', 'Backup'],
  ['drill', 'Test my recovery'],
  ['export', 'Export'],
  ['restore', 'Restore a wallet'],
] as const

/** Opens a page of the app without a reload. */
async function turnTo({ page }: Visitor, path: string, title?: string): Promise<void> {
  await page.evaluate(path => {
    history.pushState(undefined, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  if (title !== undefined) await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

it('the embedded wallet screens have no axe violations, and none is too wide', async () => {
  const visitor = await sandbox.visit('/wallets')
  const { page } = visitor
  const { inspect, problems } = inspectScreens(page)
  await inspect('wallets signed out')
  await signInByCode(sandbox, visitor, 'ada@example.com')
  await openWallets(visitor)
  await page.getByText('You have no wallet yet').waitFor()
  await inspect('wallets none')
  await turnTo(visitor, '/wallets/import', 'Import a wallet')
  await inspect('wallet import')
  await turnTo(visitor, '/wallets/new', 'Create a wallet')
  await inspect('wallet new simple')
  await page.getByRole('button', { name: 'Show all choices' }).click()
  await page.getByRole('radio', { name: '2 of 2' }).check()
  await inspect('wallet new')
  await page.getByRole('radio', { name: '3 of 5' }).check()
  await page.getByRole('button', { name: 'Create wallet' }).click()
  await walletFrame(page).screen.getByRole('heading', { name: 'Protect the backup' }).waitFor()
  await inspect('wallet window')
  await walletFrame(page).cancel()
  const { address } = await createWallet(visitor, { scheme: '3 of 5' })
  await inspect('wallet security')
  await openAdvanced(visitor)
  await inspect('wallet security, all')
  // Axe takes most of the time, so it sees one width of the pages of one wallet.
  const pages = inspectScreens(page, [{ ...NARROW, withoutAxe: true }, WIDE])
  for (const [name, title] of PAGES) {
    await turnTo(visitor, `/wallets/${address}/${name}`, title)
    await page.getByRole('main').locator('.keybay-card').first().waitFor()
    await pages.inspect(`wallet ${name}`)
  }
  await turnTo(visitor, '/lost-device', 'I lost my device')
  await pages.inspect('lost device')
  await openWallets(visitor)
  await page.getByRole('link', { name: /^Security of/ }).waitFor()
  await inspect('wallets one')
  await visitor.go('Overview')
  await page.getByRole('region', { name: 'Connected wallets' }).waitFor()
  await inspect('overview with an embedded wallet')
  await turnTo(visitor, '/wallets/GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W')
  await page.getByText('This is not one of your wallets').waitFor()
  await inspect('wallet of another user')
  expect([...problems, ...pages.problems]).toEqual([])
  await openSecurity(visitor, address)
})

it('offers a new user who chooses the embedded wallet to set it up, and creates it by keyboard alone, without an axe violation', async () => {
  // The kit logs that the wallet has no account.
  const visitor = await sandbox.visit('/', { expectTrouble: /account_not_found/ })
  const { page, connectDialog } = visitor
  await signInByCode(sandbox, visitor, 'no-wallet@example.com')
  await connectDialog.open()
  await connectDialog.choose('Keybay wallet')
  const setUp = connectDialog.dialog.getByRole('button', { name: 'Set it up' })
  await setUp.waitFor()
  await expect
    .poll(() => connectDialog.dialog.getByRole('status').textContent())
    .toContain('isn’t set up in this browser yet')
  expect(await findViolations(page)).toEqual([])
  await setUp.focus()
  await page.keyboard.press('Enter')
  await page.getByText('You have no wallet yet').waitFor()
  await connectDialog.dialog.waitFor({ state: 'hidden' })

  await page.getByRole('link', { name: 'Create a wallet' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show all choices' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: '2 of 3' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: '2 of 2' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Wallet security', level: 1 }).waitFor()
})

it('creates a wallet that a passkey backs up, without a choice', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await addAuthenticator(page)
  await signInByCode(sandbox, visitor, 'simple@example.com')
  await visitor.open('/wallets/new')
  await expect.poll(() => page.getByRole('radio').count()).toBe(0)
  await page.getByRole('button', { name: 'Create wallet' }).click()
  await walletFrame(page).agree('Back up with a passkey', 'Back up')
  await shownWallet(visitor)
  await page.getByText('2 of 3', { exact: true }).first().waitFor()
  await expect.poll(() => page.getByText('This wallet has no backup.').count()).toBe(0)
})
