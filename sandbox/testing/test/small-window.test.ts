/** Tests a page on a phone: header and menu cover half of it, and each toast a part. */
import { leaveFrame } from '@keybay/sandbox-tools/testing/leave-frame'
import { expect, it } from 'vitest'
import { signInByCode } from '../src/flows-accounts.js'
import { fillSchedule, openDelegates } from '../src/flows-delegates.js'
import { createWallet, openSecurity } from '../src/flows-waas.js'
import { focused, tabTo } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'
import { settled } from '../src/settled.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'

it('a small page covers neither the wallet window that shows a key nor a pressed button, and shows whole addresses in a delegate prompt', async () => {
  const visitor = await sandbox.visit('/', { viewport: { width: 360, height: 740 } })
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'small@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  const copy = page.getByRole('button', { name: 'Copy address' })
  // Just above the menu, where the toast will be.
  await copy.evaluate(button => {
    button.focus({ preventScroll: true })
    scrollTo(0, button.getBoundingClientRect().bottom + scrollY - innerHeight + 80)
  })
  await page.keyboard.press('Enter')
  const toast = page.getByLabel('Notifications').locator('.keybay-toast').filter({ hasText: 'Copied' })
  await toast.waitFor()
  await settled(page)
  const [button, over] = await Promise.all([copy.boundingBox(), toast.boundingBox()])
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(over?.y ?? 0)

  await page.getByRole('link', { name: 'Export', exact: true }).click()
  await page.getByRole('button', { name: 'Show my key' }).click()
  const frame = walletFrame(page)
  await frame.screen.getByRole('button', { name: 'Export the key' }).and(page.locator(':enabled')).waitFor()
  leaveFrame(page)
  await page.locator('iframe[title="wallet storage"]').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show my key' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Show my key')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)

  await openSecurity(visitor, address)
  await openDelegates(visitor)
  await fillSchedule(visitor, { to: OTHER, amount: '0.1', times: 2 })
  const pays = frame.screen.getByText(`It may pay ${OTHER}.`)
  await pays.waitFor()
  expect(await pays.evaluate(({ ownerDocument: { documentElement: all } }) => all.scrollWidth - all.clientWidth)).toBe(
    0,
  )
  await frame.agree('Let “Sandbox scheduler” sign?', 'Allow')
  await page.getByRole('button', { name: /^Revoke Sandbox scheduler/ }).waitFor()
  await tabTo(page, /^Revoke Sandbox scheduler/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await frame.agree('Revoke “Sandbox scheduler”?', 'Revoke')
  await page.getByText('Revoked', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('Sandbox scheduler')
})
