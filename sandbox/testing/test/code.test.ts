import { expect, it } from 'vitest'
import { tabTo } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox
/** The browser logs each refusal of the API. */
const refused = { expectTrouble: /status of 4(01|29)/ }

function wrongFor(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

it('[S1.3] says that a code is wrong, keeps the prompt open, and accepts the right code', async () => {
  const { page, signInDialog } = await visit('/', refused)
  await signInDialog.open()
  await signInDialog.sendCode('wrong@example.com')
  const code = await sandbox.accounts.code('wrong@example.com')
  await signInDialog.code.fill(wrongFor(code))
  await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
  expect(await signInDialog.code.getAttribute('aria-invalid')).toBe('true')
  // The wrong code is selected, so typing replaces it.
  await page.keyboard.type(code)
  await page.getByRole('button', { name: 'Signed in as wrong@example.com' }).waitFor()
})

it('lets the user go back from the code prompt and enter another address', async () => {
  const { page, signInDialog } = await visit()
  await signInDialog.open()
  await signInDialog.sendCode('typo@example.com')
  await signInDialog.dialog.getByRole('button', { name: 'Use another address' }).click()
  await signInDialog.sendCode('right@example.com')
  await signInDialog.dialog.getByText('right@example.com').waitFor()
  await signInDialog.code.fill(await sandbox.accounts.code('right@example.com'))
  await page.getByRole('button', { name: 'Signed in as right@example.com' }).waitFor()
})

it('the code prompt links to the inbox that contains the message', async () => {
  const { context, signInDialog } = await visit()
  await signInDialog.open()
  await signInDialog.sendCode('inbox@example.com')
  const opening = context.waitForEvent('page')
  await signInDialog.dialog.getByRole('link', { name: 'Open inbox' }).click()
  const inbox = await opening
  await inbox.getByRole('link', { name: /Your code for/ }).waitFor()
})

it('[S1.3] signs in by keyboard alone, with the focus always visible', async () => {
  const { page, signInDialog } = await visit()
  await tabTo(page, 'Sign in')
  await page.keyboard.press('Enter')
  await signInDialog.address.waitFor()
  // The field has the focus.
  await page.keyboard.type('by-keys@example.com')
  await page.keyboard.press('Enter')
  await signInDialog.code.waitFor()
  await page.keyboard.type(await sandbox.accounts.code('by-keys@example.com'))
  await page.getByRole('button', { name: 'Signed in as by-keys@example.com' }).waitFor()
  await tabTo(page, 'Signed in as by-keys@example.com')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Account')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await tabTo(page, 'Choose a username')
  await page.keyboard.press('Enter')
  await page.keyboard.type('keymaster')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Signed in as keymaster' }).waitFor()
})
