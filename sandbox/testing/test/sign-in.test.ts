import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { connectedWallets } from '../src/flows.js'
import { signInByCode, signUpByPasskey } from '../src/flows-accounts.js'
import { tabTo, typeInto } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox

/** Offers no passkeys in fields; otherwise the simulated device picks one at once. */
function withoutAutofill() {
  // The browser's own first page is not a secure context.
  if (isSecureContext) PublicKeyCredential.isConditionalMediationAvailable = async () => false
}

it('[S1.3] signs in by email code, and a reload keeps the session', async () => {
  const visitor = await visit()
  const { page, account } = visitor
  await signInByCode(sandbox, visitor, 'ada@example.com')
  await page.reload()
  await page.getByRole('button', { name: 'Signed in as ada@example.com' }).waitFor()
  await account.open()
  await expect.poll(() => account.rows('Ways to sign in')).toEqual(['ada@example.com Email'])
})

it('[S1.4] signs in by a phone code that is pasted with spaces and a line break', async () => {
  const { page, signInDialog } = await visit()
  await signInDialog.open()
  await signInDialog.sendCode('+41 79 123 45 67')
  const code = await sandbox.accounts.code('+41791234567')
  await page.evaluate(text => navigator.clipboard.writeText(text), ` ${code.slice(0, 3)} ${code.slice(3)}\n`)
  await signInDialog.code.focus()
  await page.keyboard.press('ControlOrMeta+V')
  await page.getByRole('button', { name: 'Signed in as +41791234567' }).waitFor()
})

it('[S1.5] signs up with a passkey, and signs in with the same passkey again by the one passkey button, also when the browser has forgotten the user', async () => {
  const visitor = await visit('/', { initScript: withoutAutofill })
  const { page, signInDialog, account } = visitor
  const device = await addAuthenticator(page)
  await signUpByPasskey(visitor, 'Grace')
  await expect.poll(() => device.count()).toBe(1)
  await account.signOut()
  await signInDialog.open()
  await signInDialog.option('Use a passkey').click()
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await account.open()
  await expect.poll(() => account.rows('Passkeys')).toHaveLength(1)
  await account.signOut()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await signInDialog.open()
  await signInDialog.option('Use a passkey').click()
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await signInDialog.dialog.waitFor({ state: 'hidden' })
})

it('[S1.1] signs in with one approval by a wallet that supports sign-in, and connects the wallet', async () => {
  const visitor = await visit()
  const { signInDialog, wallet, account, page } = visitor
  await signInDialog.open()
  await signInDialog.option('Sandbox Wallet').click()
  await wallet.request('Sign in').getByText(new URL(page.url()).host).first().waitFor()
  await wallet.approve('Sign in')
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  // The address stands once: on the button of the wallet.
  await expect
    .poll(() => page.locator('.header-account').getByRole('button').allInnerTexts())
    .toEqual([expect.stringMatching(/^\w{6}…\w{6}$/), 'Account'])
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Sandbox Wallet'])
  await account.open()
  await expect
    .poll(() => account.rows('Ways to sign in'))
    .toEqual([expect.stringMatching(/^\w{6}…\w{6} Sandbox Wallet$/)])
})

it('[S1.1] connecting a wallet also signs in when the host requires both', async () => {
  const visitor = await visit('/?auth-mode=connect-and-sign')
  const { page, connectDialog, wallet } = visitor
  await connectDialog.open()
  await connectDialog.choose('Sandbox Wallet')
  await wallet.approve('Sign in')
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Sandbox Wallet'])
})

it('keeps the lab setting whether connecting also signs in', async () => {
  const visitor = await visit('/lab')
  const { page } = visitor
  await page.getByRole('heading', { name: 'Connecting does not sign in' }).waitFor()
  await page.getByRole('button', { name: 'Connect and sign in' }).click()
  await page.getByRole('heading', { name: 'Connecting signs in too' }).waitFor()
  await visitor.open('/lab')
  await page.getByRole('heading', { name: 'Connecting signs in too' }).waitFor()
})

it('[S1.6] signs in with the host’s own token', async () => {
  const visitor = await visit('/lab')
  const { page, account } = visitor
  await page.getByLabel('User of the host').fill('mara')
  await page.getByRole('button', { name: 'Sign in with the host’s token' }).click()
  await page.getByRole('button', { name: 'Signed in as mara' }).waitFor()
  await account.open()
  await expect.poll(() => account.rows('Ways to sign in')).toEqual(['mara Account of this app’s host'])
})

it('says that the wallet declined the sign-in, signs in on the next try, and forgets an attempt whose dialog was closed', async () => {
  const { page, signInDialog, wallet } = await visit()
  await signInDialog.open()
  await signInDialog.option('Sandbox Wallet').click()
  await wallet.request('Sign in').waitFor()
  await page.keyboard.press('Escape') // the wallet's window
  await signInDialog.dialog.getByText('Not signed in.').waitFor()
  await page.keyboard.press('Escape')
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  await signInDialog.open()
  await signInDialog.address.waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Signed in as/ }).count()).toBe(0)
  await signInDialog.option('Sandbox Wallet').click()
  await wallet.reject('Sign in')
  await signInDialog.dialog.getByText('You declined, or closed the window.').waitFor()
  await signInDialog.dialog.getByRole('button', { name: 'Try again' }).click()
  await wallet.approve('Sign in')
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
})

it('the code prompt links to the inbox that contains the message, whose pages have no axe violations, and none is too wide', async () => {
  // The browser logs the page of a message that was deleted.
  const { context, signInDialog } = await visit('/', { expectTrouble: /status of 404/ })
  await signInDialog.open()
  await signInDialog.sendCode('inbox.with-a-long-name-that-wraps@subdomain.example.com')
  const opening = context.waitForEvent('page')
  await signInDialog.dialog.getByRole('link', { name: 'Open inbox' }).click()
  const inbox = await opening
  const message = inbox.getByRole('link', { name: /Your code for/ })
  await message.waitFor()
  const messageUrl = await message.evaluate((link: HTMLAnchorElement) => link.href)
  const { inspect, problems } = inspectScreens(inbox)
  await inspect('inbox')
  await message.click()
  await inbox.getByRole('button', { name: 'Delete' }).waitFor()
  await inspect('inbox message')
  await inbox.getByRole('button', { name: 'Delete' }).click()
  await inbox.getByRole('heading', { name: 'Inbox' }).waitFor()
  await inbox.goto(messageUrl)
  await inspect('inbox missing')
  await inbox.goto(`${sandbox.accounts.inbox.url}/?to=empty@example.com`)
  await inspect('inbox empty')
  expect(problems).toEqual([])
})

it('[S1.3] signs in by keyboard alone, with the focus always visible', async () => {
  const { page, signInDialog } = await visit()
  await tabTo(page, 'Sign in')
  await page.keyboard.press('Enter')
  await typeInto(signInDialog.address, 'by-keys@example.com')
  await page.keyboard.press('Enter')
  await typeInto(signInDialog.code, await sandbox.accounts.code('by-keys@example.com'))
  await page.getByRole('button', { name: 'Signed in as by-keys@example.com' }).waitFor()
  await tabTo(page, 'Signed in as by-keys@example.com')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Account')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await tabTo(page, 'Choose a username')
  await page.keyboard.press('Enter')
  await typeInto(page.getByLabel('Username', { exact: true }), 'keymaster')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Signed in as keymaster' }).waitFor()
})
