/** Tests that an account and its wallets stay together: what a deletion removes, and why a merge is refused. */
import { expect, it } from 'vitest'
import { activeAddress, eventually } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

it('names the wallets that are deleted with an account, and restores everything when the user returns in time', async () => {
  const visitor = await sandbox.visit()
  const { page, account } = visitor
  const { inspect, problems } = inspectScreens(page)
  const email = 'keeps@example.com'
  await signInByCode(sandbox, visitor, email)
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await account.open()
  expect(await account.rows('Ways to sign in')).toEqual([`${email} Email`])
  await page.getByRole('button', { name: 'Delete account' }).click()
  const losses = page.getByRole('list', { name: 'Wallets that you lose' })
  await losses.waitFor()
  expect(await losses.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining(address)])
  const exported = losses.getByRole('link', { name: `Export ${address}` })
  expect(await exported.getAttribute('href')).toBe(`/wallets/${address}/export`)
  await page.getByText('keeps its access until you revoke it').waitFor()
  await page.getByText('you can’t import it here again').waitFor()
  await inspect('delete an account with a wallet')
  const userId = await account.card('Profile').locator('.mono').textContent()
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
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await eventually(() => activeAddress(visitor)).toBe(address)
  await signMessage(visitor, 'Still mine')
  await account.open()
  expect(await account.card('Profile').locator('.mono').textContent()).toBe(userId)
  expect(problems).toEqual([])
})

it('does not merge an account with a wallet into another account, and says what to do instead', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: /status of 409/ })
  const { page, account, signInDialog } = visitor
  await signInByCode(sandbox, visitor, 'wealthy@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await account.signOut()

  await signInByCode(sandbox, visitor, 'second@example.com')
  await account.open()
  await page.getByRole('button', { name: 'Add email' }).click()
  await signInDialog.sendCode('wealthy@example.com')
  await signInDialog.code.fill(await sandbox.accounts.code('wealthy@example.com'))
  await signInDialog.dialog.getByText('Sign in to that account and add this sign-in method there.').waitFor()
  await page.keyboard.press('Escape')
  await account.signOut()

  // The other direction: the account with the wallet absorbs the other account.
  await signInByCode(sandbox, visitor, 'wealthy@example.com')
  await account.open()
  await page.getByRole('button', { name: 'Add email' }).click()
  await signInDialog.sendCode('second@example.com')
  const message = await sandbox.accounts.message('second@example.com')
  expect(message).toContain('Confirming merges that account into another one')
  await signInDialog.code.fill(/\b\d{6}\b/.exec(message)?.[0] ?? '')
  await signInDialog.dialog.getByRole('button', { name: 'Merge the two accounts' }).click()
  await eventually(() => account.rows('Ways to sign in')).toHaveLength(2)
  await eventually(() => activeAddress(visitor)).toBe(address)
  await signMessage(visitor, 'With both addresses')
})
