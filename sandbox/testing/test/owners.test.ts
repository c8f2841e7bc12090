/** Tests that an account and its wallets stay together: what a deletion removes. */
import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

it('[S11.3] names the wallets that are deleted with an account, and restores everything when the user returns in time', async () => {
  const visitor = await sandbox.visit()
  const { page, account } = visitor
  const { inspect, problems } = inspectScreens(page)
  const email = 'keeps@example.com'
  await signInByCode(sandbox, visitor, email)
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await account.open()
  await expect.poll(() => account.rows('Ways to sign in')).toEqual([`${email} Email`])
  await page.getByRole('button', { name: 'Delete account' }).click()
  const losses = page.getByRole('list', { name: 'Wallets that you lose' })
  await losses.waitFor()
  await expect.poll(() => losses.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining(address)])
  const exported = losses.getByRole('link', { name: `Export ${address}` })
  await expect.poll(() => exported.getAttribute('href')).toBe(`/wallets/${address}/export`)
  await page.getByText('keeps its access until you revoke it').waitFor()
  await page.getByText('you can’t import it here again').waitFor()
  await inspect('delete an account with a wallet')
  const userId = await account.card('Profile').locator('.keybay-mono').textContent()
  await page.getByLabel('Type “delete” to confirm').fill('yes')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('Type “delete” to go on.').waitFor()
  await page.getByLabel('Type “delete” to confirm').fill('delete')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText(/Your account is deleted on \d+ \w+ \d{4}/).waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()

  await signInByCode(sandbox, visitor, email)
  await page.getByText('Your account will be deleted on').waitFor()
  await inspect('account to be deleted')
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByText('Your account stays').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await signMessage(visitor, 'Still mine')
  await account.open()
  await expect.poll(() => account.card('Profile').locator('.keybay-mono').textContent()).toBe(userId)
  expect(problems).toEqual([])
})
