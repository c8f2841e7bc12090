import { expect, it } from 'vitest'
import { eventually } from '../src/flows.js'
import { tabTo } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox
/** The browser itself says when the API refuses. */
const refused = { expectTrouble: /status of 4(01|29)/ }
/** ms */
const HALF_A_MINUTE = 30_000
const TEN_MINUTES = 600_000

function wrongFor(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

it('[S1.3] says that a code is wrong, keeps the question open, and takes the right one', async () => {
  const { page, signInDialog } = await visit('/', refused)
  await signInDialog.open()
  await signInDialog.sendCode('wrong@example.com')
  const code = await sandbox.accounts.code('wrong@example.com')
  await signInDialog.code.fill(wrongFor(code))
  await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
  expect(await signInDialog.code.getAttribute('aria-invalid')).toBe('true')
  // What was wrong is marked, so typing replaces it.
  await page.keyboard.type(code)
  await page.getByRole('button', { name: 'Signed in as wrong@example.com' }).waitFor()
})

it('ends a code after five wrong tries, and a new one signs in', async () => {
  const { page, signInDialog } = await visit('/', refused)
  await page.clock.install()
  await signInDialog.open()
  await signInDialog.sendCode('tries@example.com')
  const code = await sandbox.accounts.code('tries@example.com')
  for (let tries = 0, next = code; tries < 6; tries++) {
    next = wrongFor(next)
    const answer = page.waitForResponse(/\/auth\/email\/verify$/)
    await signInDialog.code.fill(next)
    await answer
    await eventually(() => signInDialog.code.getAttribute('aria-busy')).toBe('false')
  }
  await signInDialog.dialog.getByText('Too many attempts. Ask for a new code by email.').waitFor()
  const again = signInDialog.dialog.getByRole('button', { name: /^Send a new code/ })
  await page.clock.fastForward(HALF_A_MINUTE)
  await again.click()
  await signInDialog.dialog.getByText('A new code is on its way.').waitFor()
  await signInDialog.code.fill(await sandbox.accounts.code('tries@example.com'))
  await page.getByRole('button', { name: 'Signed in as tries@example.com' }).waitFor()
})

it('says that a code has expired, and the old one no longer counts once a new one was sent', async () => {
  const { page, signInDialog } = await visit('/', refused)
  await page.clock.install()
  await signInDialog.open()
  await signInDialog.sendCode('late@example.com')
  const late = await sandbox.accounts.code('late@example.com')
  await signInDialog.dialog.getByText(/^The code is valid for (10:00|9:\d\d)\.$/).waitFor()
  await sandbox.accounts.api.advanceClock(TEN_MINUTES)
  await page.clock.fastForward(TEN_MINUTES)
  await signInDialog.dialog.getByText('The code has expired.').waitFor()
  await signInDialog.code.fill(late)
  await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
  await signInDialog.dialog.getByRole('button', { name: 'Send a new code', exact: true }).click()
  const code = await sandbox.accounts.code('late@example.com')
  await signInDialog.code.fill(late)
  await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
  await signInDialog.code.fill(code)
  await page.getByRole('button', { name: 'Signed in as late@example.com' }).waitFor()
})

it('goes back to another address', async () => {
  const { page, signInDialog } = await visit()
  await signInDialog.open()
  await signInDialog.sendCode('typo@example.com')
  await signInDialog.dialog.getByRole('button', { name: 'Use another address' }).click()
  await signInDialog.sendCode('right@example.com')
  await signInDialog.dialog.getByText('right@example.com').waitFor()
  await signInDialog.code.fill(await sandbox.accounts.code('right@example.com'))
  await page.getByRole('button', { name: 'Signed in as right@example.com' }).waitFor()
})

it('leads to the inbox, where the message is', async () => {
  const { context, signInDialog } = await visit()
  await signInDialog.open()
  await signInDialog.sendCode('inbox@example.com')
  const opening = context.waitForEvent('page')
  await signInDialog.dialog.getByRole('link', { name: 'Open inbox' }).click()
  const inbox = await opening
  await inbox.getByRole('link', { name: /Your code for/ }).waitFor()
})

it('refuses what can be no address before anything is sent', async () => {
  const { page, signInDialog } = await visit()
  const sent: string[] = []
  page.on('request', request => {
    if (/\/auth\/(email|phone)$/.test(request.url())) sent.push(request.url())
  })
  await signInDialog.open()
  for (const text of ['', 'mara', 'mara@', '0791234567', '+41']) {
    await signInDialog.address.fill(text)
    await page.keyboard.press('Enter')
    await signInDialog.dialog.getByText('Write an email address, or a phone number').waitFor()
  }
  expect(sent).toEqual([])
})

it('[S1.3] signs in by keyboard alone, with the focus in sight', async () => {
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
