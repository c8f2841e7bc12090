import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { eventually } from '../src/flows.js'
import { addPasskey, signInByCode, signUpByPasskey } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox
/** The browser logs the API's refusal to link what belongs to another user. */
const conflict = { expectTrouble: /status of 409/ }

it('sets a username, and says when a username is already taken', async () => {
  const visitor = await visit('/', conflict)
  const { page, account } = visitor
  const choose = async (name: string) => {
    await account.open()
    await page.getByRole('button', { name: 'Choose a username' }).click()
    await page.getByLabel('Username', { exact: true }).fill(name)
    await page.keyboard.press('Enter')
  }
  await signInByCode(sandbox, visitor, 'first@example.com')
  await choose('harbourmaster')
  await page.getByRole('button', { name: 'Signed in as harbourmaster' }).waitFor()
  await account.signOut()
  await signInByCode(sandbox, visitor, 'second@example.com')
  await choose('harbourmaster')
  await page.getByText('This user name is already in use.').waitFor()
})

it('[S1.1] [S1.4] links a phone and a wallet, signs in with them, and unlinks them', async () => {
  const visitor = await visit()
  const { page, account, signInDialog, wallet } = visitor
  await signInByCode(sandbox, visitor, 'linker@example.com')
  await account.open()
  await page.getByRole('button', { name: 'Add phone' }).click()
  await signInDialog.sendCode('+41 79 555 01 01')
  await signInDialog.code.fill(await sandbox.accounts.code('+41795550101'))
  await page.getByText('Added to your account').waitFor()
  await page.getByRole('button', { name: 'Add wallet' }).click()
  await signInDialog.option('Sandbox Wallet').click()
  await wallet.approve('Sign in')
  await eventually(() => account.rows('Ways to sign in')).toEqual([
    'linker@example.com Email',
    '+41795550101 Phone',
    expect.stringMatching(/Sandbox Wallet$/),
  ])
  // Each sign-in opens the same user's account.
  await account.signOut()
  await signInDialog.open()
  await signInDialog.sendCode('+41795550101')
  await signInDialog.code.fill(await sandbox.accounts.code('+41795550101'))
  await page.getByRole('button', { name: 'Signed in as linker@example.com' }).waitFor()
  await account.confirm('Unlink +41795550101')
  await eventually(() => account.rows('Ways to sign in')).toEqual([
    'linker@example.com Email',
    expect.stringMatching(/Sandbox Wallet$/),
  ])
})

it('does not unlink the last way to sign in, and says why', async () => {
  const visitor = await visit()
  const { page, account } = visitor
  await signInByCode(sandbox, visitor, 'last@example.com')
  await account.open()
  const unlink = page.getByRole('button', { name: 'Unlink last@example.com' })
  expect(await unlink.getAttribute('aria-disabled')).toBe('true')
  await unlink.click({ force: true })
  expect(await page.getByText('You will no longer sign in').count()).toBe(0)
  const why = page.getByText('This is your only way to sign in, so it cannot be removed.')
  expect(await unlink.getAttribute('aria-describedby')).toBe(await why.getAttribute('id'))
  // The page also says why a second step by passkey is not available yet.
  const passkey = account.card('Two-step sign-in').getByRole('button', { name: 'Passkey' })
  const reason = page.getByText('Passkey: add a passkey first.')
  expect(await passkey.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'))
})

it('merges two accounts of the same user after the user confirms', async () => {
  const visitor = await visit('/', conflict)
  const { page, account, signInDialog } = visitor
  await signInByCode(sandbox, visitor, 'old@example.com')
  await account.signOut()
  await signInByCode(sandbox, visitor, 'new@example.com')
  await account.open()
  const link = async () => {
    await page.getByRole('button', { name: 'Add email' }).click()
    await signInDialog.sendCode('old@example.com')
    await signInDialog.code.fill(await sandbox.accounts.code('old@example.com'))
    await page.getByRole('heading', { name: 'You have another account' }).waitFor()
  }
  await link()
  await signInDialog.dialog.getByRole('button', { name: 'Keep them apart' }).click()
  await page.keyboard.press('Escape')
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  expect(await account.rows('Ways to sign in')).toEqual(['new@example.com Email'])

  await link()
  await signInDialog.dialog.getByRole('button', { name: 'Merge the two accounts' }).click()
  await eventually(() => account.rows('Ways to sign in')).toEqual(
    expect.arrayContaining(['new@example.com Email', 'old@example.com Email']),
  )
  await signInDialog.dialog.waitFor({ state: 'hidden' })
})

it('[S1.5] adds, renames and removes passkeys', async () => {
  const visitor = await visit()
  const { page, account } = visitor
  await addAuthenticator(page)
  await signInByCode(sandbox, visitor, 'keys@example.com')
  await account.open()
  await addPasskey(visitor)
  await page.getByRole('button', { name: 'Rename Passkey' }).click()
  await page.getByLabel('Name of Passkey').fill('Laptop')
  await page.keyboard.press('Enter')
  await eventually(() => account.rows('Passkeys')).toEqual(['Laptop'])
  await account
    .card('Passkeys')
    .getByText(/Added .+ · last used /)
    .waitFor()
  await account.confirm('Remove Laptop')
  await account.card('Passkeys').getByText('None yet.').waitFor()
})

it('[S1.6] links the host’s own account to the signed-in user', async () => {
  const visitor = await visit('/lab')
  const { page, account } = visitor
  await addAuthenticator(page)
  await signUpByPasskey(visitor, 'Barbara')
  await page.getByLabel('User of the host').fill('barbara')
  await page.getByRole('button', { name: 'Sign in with the host’s token' }).click()
  await page.getByText('Signed in with the host’s token').waitFor()
  await account.open()
  expect(await account.rows('Ways to sign in')).toEqual(['barbara Account of this app’s host'])
  expect(await account.rows('Passkeys')).toEqual(['Passkey'])
})

it('lists the user’s sessions, ends a chosen session, and ends all other sessions', async () => {
  const ended = { expectTrouble: /status of 401/ }
  const places = await Promise.all([visit(), visit('/', ended), visit('/', ended)])
  const [here, there, elsewhere] = places
  for (const place of places) await signInByCode(sandbox, place, 'roamer@example.com')
  await here.account.open()
  await eventually(() => here.account.rows('Sessions')).toHaveLength(3)
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
  await eventually(() => here.account.rows('Sessions')).toHaveLength(2)
  await here.account.confirm('End all other sessions')
  await eventually(() => here.account.rows('Sessions')).toEqual([expect.stringContaining('This one')])
  for (const place of [there, elsewhere]) {
    await place.open('/account')
    await place.page.getByText('Your session has ended').waitFor()
  }
})

it('deletes an account after the user types “delete”, and restores it if the user signs in again in time', async () => {
  const visitor = await visit()
  const { page, account } = visitor
  await signInByCode(sandbox, visitor, 'leaver@example.com')
  await account.open()
  const userId = await account.card('Profile').locator('.mono').textContent()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByLabel('Type “delete” to confirm').fill('yes')
  const losses = page.getByRole('list', { name: 'Ways to sign in that you lose' })
  await losses.waitFor()
  expect(await losses.getByRole('listitem').allTextContents()).toEqual(['leaver@example.com Email'])
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('Type “delete” to go on.').waitFor()
  await page.getByLabel('Type “delete” to confirm').fill('delete')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText(/Your account is deleted on \d+ \w+ \d{4}/).waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  await signInByCode(sandbox, visitor, 'leaver@example.com')
  await account.open()
  expect(await account.card('Profile').locator('.mono').textContent()).toBe(userId)
  await page.getByText(/Your account will be deleted on \d+ \w+ \d{4}\./).waitFor()
  expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByText('Your account stays').waitFor()
  await page.getByRole('button', { name: 'Delete account' }).waitFor()
  expect(await page.getByText('Your account will be deleted').count()).toBe(0)
})
