import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'

/** Environment that requires an email address of every user. */
const sandbox = setUpSandbox({ accounts: { environment: { required: { email: true } } } })

it('[S1.4] requires the missing email address before the session may do anything else', async () => {
  const visitor = await sandbox.visit()
  const { page, signInDialog, account } = visitor
  await signInDialog.open()
  await signInDialog.sendCode('+41795550303')
  await signInDialog.code.fill(await sandbox.accounts.code('+41795550303'))
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  // The postponed prompt comes back with the page.
  await page.keyboard.press('Escape')
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await page.keyboard.press('Escape')
  await visitor.open('/account')
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Finish signing in' }).click()
  await signInDialog.addAddress('missing@example.com', '+41795550303')
  await signInDialog.code.fill(await sandbox.accounts.code('missing@example.com'))
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  await account.open()
  await expect.poll(() => account.rows('Ways to sign in')).toEqual(['+41795550303 Phone', 'missing@example.com Email'])
})

it('lets the user sign out instead of adding a required email address', async () => {
  const visitor = await sandbox.visit()
  const { page, signInDialog } = visitor
  await signInDialog.open()
  await signInDialog.sendCode('+41795550404')
  await signInDialog.code.fill(await sandbox.accounts.code('+41795550404'))
  await signInDialog.dialog.getByRole('button', { name: 'Sign out instead' }).click()
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByRole('banner').getByRole('button', { name: 'Sign in' }).count()).toBe(1)
})
