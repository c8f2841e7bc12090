/**
 * Tests that a user of Google sign-in backs up to the Drive of that same account: one client, one press, and no other
 * account by mistake.
 */
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { createWallet, PASSWORD, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, signedIn, VISIT } from '../src/social.js'
import type { Visitor } from '../src/visitor.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, social: true, embeddedWallets: true, drives: true })

/** Starts an operation up to Google's window, which the page opens after the password derivation. */
async function begin({ page }: Visitor, what: 'Back up to Google Drive' | 'Verify my backup') {
  const popup = page.waitForEvent('popup', { timeout: VISIT })
  const button = page.getByRole('button', { name: 'Open the window' })
  button
    .waitFor({ timeout: VISIT })
    .then(() => button.click())
    .catch(() => {}) // no button if the window opened by itself
  await page.getByRole('button', { name: what }).click()
  const frame = walletFrame(page)
  await (what === 'Verify my backup' ? frame.enterPassword(PASSWORD) : frame.choosePassword(PASSWORD))
  const opened = await popup
  await opened.getByRole('list', { name: 'Accounts' }).waitFor()
  return opened
}

function says({ page }: Visitor, text: string) {
  return page.getByText(text).waitFor({ timeout: VISIT })
}

it('[S1.8] signs in with Google, backs up to that account’s Drive, and reads it back', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  visitor.context.setDefaultTimeout(VISIT)
  await visitor.signInDialog.open()
  const signingIn = await openWindow(visitor, 'google')
  const requested = new Promise<URL>(resolve =>
    visitor.context.on('request', request => {
      if (request.url().includes('/o/oauth2/v2/auth?')) resolve(new URL(request.url()))
    }),
  )
  await choose(signingIn, 'Cleo')
  await signedIn(visitor)
  await createWallet(visitor, { scheme: '2 of 2' })
  await page.getByText('This wallet has no backup.').waitFor()
  await page.getByRole('link', { name: 'Other ways', exact: true }).click()
  await page.getByText('Other ways', { exact: true }).click()
  await page.getByRole('radio', { name: 'Google Drive', exact: true }).check()

  // The user closes the window, then chooses another user's account: nothing changes, and the next try works.
  await (await begin(visitor, 'Back up to Google Drive')).close()
  // No error: the page shows the step as not done, and offers the press again.
  await page.locator('button[aria-disabled="false"]', { hasText: 'Back up to Google Drive' }).waitFor()
  await choose(await begin(visitor, 'Back up to Google Drive'), 'Ann Archer')
  await says(visitor, 'You chose a Google account that isn’t connected here')
  expect(await findViolations(page)).toEqual([])
  const popup = await begin(visitor, 'Back up to Google Drive')
  const drive = new URL(popup.url())
  const first = popup.getByRole('list', { name: 'Accounts' }).getByRole('button').first()
  await expect.poll(() => first.textContent()).toContain('cleo@people.example')
  await first.click({ noWaitAfter: true })
  const wallet = walletFrame(page)
  // Below the name of the user's account in the app, which is the same.
  await wallet.screen.getByText('cleo@people.example', { exact: true }).nth(1).waitFor()
  await wallet.agree('Back up to this account?', 'Use this account')
  await says(visitor, 'Stored in Google Drive.')
  expect(await findViolations(page)).toEqual([])

  // The window of the sign-in, with a different request: a token that no server sees, for the app's own folder.
  const signIn = await requested
  expect(drive.origin + drive.pathname).toBe(signIn.origin + signIn.pathname)
  for (const name of ['client_id', 'prompt']) expect(drive.searchParams.get(name)).toBe(signIn.searchParams.get(name))
  expect(drive.searchParams.get('login_hint')).toBe('cleo@people.example')
  expect(drive.searchParams.get('scope')).toBe('https://www.googleapis.com/auth/drive.appdata')
  expect(new URL(drive.searchParams.get('redirect_uri') ?? '').origin).toBe(sandbox.walletServices.frame.url)

  // Any drive can be searched: a user who lost everything else finds an old backup there.
  await choose(await begin(visitor, 'Verify my backup'), 'Dan')
  await says(visitor, 'No backup of this wallet was found there')
  await choose(await begin(visitor, 'Verify my backup'), 'Cleo')
  await page.getByText('The backup is good').first().waitFor()
  await signMessage(visitor, 'Backed up')
})
