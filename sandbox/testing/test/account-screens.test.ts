import { fileURLToPath } from 'node:url'
import { totpAt } from '@keybay/sandbox-api/testing/totp'
import { describe, expect, it } from 'vitest'
import { addAuthenticator } from '../src/authenticator.js'
import { findViolations } from '../src/axe.js'
import { addPasskey } from '../src/flows-accounts.js'
import { focused } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {} })
const SCREENS = fileURLToPath(new URL('../.reports/screens', import.meta.url))

describe.each([
  { colours: 'light', width: 1280 },
  { colours: 'dark', width: 320 },
] as const)('in $colours at $width px', ({ colours, width }) => {
  it('axe finds nothing on any screen of signing in and of the account, and none is too wide', async () => {
    const visitor = await sandbox.visit('/', {
      colorScheme: colours,
      viewport: { width, height: 800 },
      // The browser itself says when a server refuses: the wrong code, and what needs a second step.
      expectTrouble: /status of 40[13]/,
    })
    const { page, signInDialog, account } = visitor
    await addAuthenticator(page)
    const address = `ines.with-a-long-name-that-wraps+${colours}@subdomain.example.com`
    const problems: string[] = []
    /** Looks at what the user sees now. */
    const look = async (name: string) => {
      const found = await findViolations(page)
      await page.screenshot({ path: `${SCREENS}/${colours}-${width}-${name.replaceAll(' ', '-')}.png` })
      const [content = 0, room = 0] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      if (content > room) problems.push(`${name}: ${content} px wide`)
      problems.push(...found.map(line => `${name}: ${line}`))
    }

    await visitor.open('/account')
    await look('account signed out')
    await signInDialog.open()
    await look('sign in')
    await signInDialog.dialog.getByRole('button', { name: 'Continue' }).click()
    await signInDialog.dialog.getByText('Write an email address, or').waitFor()
    await look('sign in with an error')
    await signInDialog.option('Create an account with a passkey').click()
    await look('new passkey')
    await signInDialog.option('Sandbox Wallet').click()
    await visitor.wallet.reject('Sign in')
    await signInDialog.dialog.getByText('Not signed in.').waitFor()
    await look('wallet declined')
    await signInDialog.dialog.getByRole('button', { name: 'Choose another way' }).click()
    await signInDialog.sendCode(address)
    await look('code')
    await signInDialog.code.fill('000000')
    await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
    await look('wrong code')
    await signInDialog.code.fill(await sandbox.accounts.code(address))
    await page.getByRole('button', { name: `Signed in as ${address}` }).waitFor()
    await signInDialog.dialog.waitFor({ state: 'hidden' })
    // The button that opened the dialog is gone.
    expect(await focused(page)).toBe('Account')
    await page.getByRole('button', { name: `Signed in as ${address}` }).click()
    await look('user menu')
    await page.keyboard.press('Escape')

    await account.open()
    await addPasskey(visitor)
    await look('account')
    await account
      .card('Ways to sign in')
      .getByRole('button', { name: `Unlink ${address}` })
      .click()
    await page.getByText(`You will no longer sign in with ${address}.`).waitFor()
    await look('unlink')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe(`Unlink ${address}`)
    await page.getByRole('button', { name: 'Choose a username' }).click()
    await page.keyboard.type('Inés')
    await page.keyboard.press('Enter')
    await page.getByText('Take 3 to 32 letters').waitFor()
    await look('username')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Choose a username')
    await account.card('Two-step sign-in').getByRole('button', { name: 'Authenticator app' }).click()
    const key = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
    await look('authenticator app')
    await page.getByLabel('Code', { exact: true }).fill(totpAt(key, Date.now()))
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    expect(await focused(page)).toBe('Your recovery codes')
    await look('recovery codes')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    expect(await focused(page)).toBe('Two-step sign-in')
    await account.card('Delete account').getByRole('button', { name: 'Delete account' }).click()
    await page.getByLabel('Type “delete” to confirm').fill('delete')
    await look('delete')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await look('second step')
    await signInDialog.dialog.getByRole('button', { name: 'Use a recovery code' }).click()
    await look('recovery code')
    expect(problems).toEqual([])
  })
})
