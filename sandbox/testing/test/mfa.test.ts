import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { addAuthenticatorApp, addPasskey, getCodes, signInByCode } from '../src/flows-accounts.js'
import { typeInto } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {} })
/** The browser logs each refusal of the API: a wrong code, a missing second step, a clock that was moved. */
function visit() {
  return sandbox.visit('/', { expectTrouble: /status of 40[13]/ })
}

function authenticatorApp(secret: string) {
  return getCodes(secret, [sandbox.accounts.api])
}
/** Signs in with a code, up to the prompt for the second step. */
async function signInUntilAsked({ page, signInDialog }: Tab, address: string) {
  await signInDialog.open()
  await signInDialog.sendCode(address)
  await signInDialog.code.fill(await sandbox.accounts.code(address))
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
}

async function chooseUsername({ page }: Tab, name: string) {
  await page.getByRole('button', { name: /^(Choose a|Change) username$/ }).click()
  await page.getByLabel('Username', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
}

it('[S6.3] requires an authenticator app’s code to sign in and to change the user, refuses a wrong code, and accepts a recovery code, of which it counts the rest and shows new ones', async () => {
  const visitor = await visit()
  const { page, account, signInDialog } = visitor
  await signInByCode(sandbox, visitor, 'totp@example.com')
  await account.open()
  const { secret, recoveryCodes } = await addAuthenticatorApp(visitor)
  expect(recoveryCodes).toHaveLength(10)
  await expect.poll(() => account.rows('Two-step sign-in')).toEqual(['Authenticator app'])
  const nextCode = authenticatorApp(secret)

  await chooseUsername(visitor, 'totp-user')
  const right = await nextCode()
  await signInDialog.code.fill(right === '000000' ? '111111' : '000000')
  await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
  await typeInto(signInDialog.code, right)
  await page.getByRole('button', { name: 'Signed in as totp-user' }).waitFor()

  await account.signOut()
  await signInUntilAsked(visitor, 'totp@example.com')
  await expect.poll(() => page.getByRole('button', { name: 'Signed in as totp-user' }).count()).toBe(0)
  await signInDialog.code.fill(await nextCode())
  await page.getByRole('button', { name: 'Signed in as totp-user' }).waitFor()

  await account.signOut()
  await signInUntilAsked(visitor, 'totp@example.com')
  await signInDialog.option('Use a recovery code').click()
  await signInDialog.dialog.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await signInDialog.dialog.getByRole('button', { name: 'Use recovery code' }).click()
  await page.getByRole('button', { name: 'Signed in as totp-user' }).waitFor()
  await account.card('Two-step sign-in').getByText('9 recovery codes are left.').waitFor()

  await account.confirm('New recovery codes')
  await signInDialog.code.fill(await nextCode())
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await list.first().waitFor()
  for (const code of await list.allInnerTexts()) expect(recoveryCodes).not.toContain(code)
})

it('[S6.3] accepts a passkey as the second factor', async () => {
  const visitor = await visit()
  const { page, account, signInDialog } = visitor
  const device = await addAuthenticator(page)
  await signInByCode(sandbox, visitor, 'second-key@example.com')
  await account.open()
  const unavailable = account.card('Two-step sign-in').getByRole('button', { name: 'Passkey' })
  const reason = page.getByText('Passkey: add a passkey first.')
  await expect.poll(() => unavailable.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'))
  await addPasskey(visitor, 'second-key@example.com')
  await account.card('Two-step sign-in').getByRole('button', { name: 'Passkey', exact: true }).click()
  await account.card('Two-step sign-in').getByRole('button', { name: 'Use passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await chooseUsername(visitor, 'key-user')
  await signInDialog.option('Use passkey').click()
  await page.getByRole('button', { name: 'Signed in as key-user' }).waitFor()
  // Otherwise the browser's own list in the address field would sign in with the passkey alone.
  await device.setPresence(false)
  await account.signOut()
  await signInUntilAsked(visitor, 'second-key@example.com')
  await device.setPresence(true)
  await signInDialog.option('Use passkey').click()
  await page.getByRole('button', { name: 'Signed in as key-user' }).waitFor()
})
