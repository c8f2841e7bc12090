import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { addPasskey, signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox

it('[S1.1] [S1.4] links a phone and a wallet, signs in with them, and unlinks them; the security log shows what happened, also after a reload', async () => {
  const visitor = await visit()
  const { page, account, signInDialog, wallet } = visitor
  await signInByCode(sandbox, visitor, 'linker@example.com')
  await account.open()
  await expect.poll(() => account.rows('Security log')).toEqual(['Signed in from a new device or network Email'])
  await page.getByRole('button', { name: 'Add phone' }).click()
  await signInDialog.addAddress('+41 79 555 01 01', 'linker@example.com')
  await signInDialog.code.fill(await sandbox.accounts.code('+41795550101'))
  await page.getByText('Added to your account').waitFor()
  await page.reload()
  await expect
    .poll(() => account.rows('Security log'))
    .toEqual(['Way to sign in added Phone', 'Signed in from a new device or network Email'])
  await account
    .card('Security log')
    .getByText(/ · Chrome on Linux · 127\.0\.0\.0\/24$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Add wallet' }).click()
  await signInDialog.option('Sandbox Wallet').click()
  await signInDialog.agree('linker@example.com')
  await wallet.approve('Sign in')
  await expect
    .poll(() => account.rows('Ways to sign in'))
    .toEqual(['linker@example.com Email', '+41795550101 Phone', expect.stringMatching(/Sandbox Wallet$/)])
  // Each sign-in opens the same user's account.
  await account.signOut()
  await signInDialog.open()
  await signInDialog.sendCode('+41795550101')
  await signInDialog.code.fill(await sandbox.accounts.code('+41795550101'))
  await page.getByRole('button', { name: 'Signed in as linker@example.com' }).waitFor()
  await account.confirm('Unlink +41795550101')
  await expect
    .poll(() => account.rows('Ways to sign in'))
    .toEqual(['linker@example.com Email', expect.stringMatching(/Sandbox Wallet$/)])
})

it('[S1.5] adds, renames and removes passkeys', async () => {
  const visitor = await visit()
  const { page, account } = visitor
  await addAuthenticator(page)
  await signInByCode(sandbox, visitor, 'keys@example.com')
  await account.open()
  await addPasskey(visitor, 'keys@example.com')
  await page.getByRole('button', { name: 'Rename Passkey' }).click()
  await page.getByLabel('Name of Passkey').fill('Laptop')
  await page.keyboard.press('Enter')
  await expect.poll(() => account.rows('Passkeys')).toEqual(['Laptop'])
  await account
    .card('Passkeys')
    .getByText(/Added .+ · last used /)
    .waitFor()
  await account.confirm('Remove Laptop')
  await account.card('Passkeys').getByText('None yet.').waitFor()
})

it('lists the user’s sessions, ends a chosen session, and ends all other sessions', async () => {
  const ended = { expectTrouble: /status of 401/ }
  const places = await Promise.all([visit(), visit('/', ended), visit('/', ended)])
  const [here, there, elsewhere] = places
  for (const place of places) await signInByCode(sandbox, place, 'roamer@example.com')
  await here.account.open()
  await expect.poll(() => here.account.rows('Sessions')).toHaveLength(3)
  const rows = await here.account.rows('Sessions')
  expect(rows.filter(row => row.includes('This one'))).toEqual([expect.stringMatching(/^Chrome on Linux/)])

  const sessions = here.account.card('Sessions')
  await sessions
    .getByRole('button', { name: /^End session/ })
    .first()
    .click()
  await sessions
    .getByRole('group')
    .getByRole('button', { name: /^End session/ })
    .click()
  await expect.poll(() => here.account.rows('Sessions')).toHaveLength(2)
  await here.account.confirm('End all other sessions')
  await expect.poll(() => here.account.rows('Sessions')).toEqual([expect.stringContaining('This one')])
  for (const place of [there, elsewhere]) {
    await place.open('/account')
    await place.page.getByText('Your session has ended').waitFor()
  }
})
