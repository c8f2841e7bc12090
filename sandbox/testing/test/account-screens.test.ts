import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { addPasskey, signInByCode } from '../src/flows-accounts.js'
import { focused, typeInto } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'

const sandbox = setUpSandbox({ accounts: {} })

// The dialogs of which nothing is longer here are in the test of the catalogue, in the same looks.
it('the sign-in and account screens have no axe violations, and none is too wide', async () => {
  const visitor = await sandbox.visit('/', {
    // The browser logs each refusal of a server: the wrong code, and what needs a second step.
    expectTrouble: /status of 40[13]/,
  })
  const { page, signInDialog, account } = visitor
  await addAuthenticator(page)
  const address = `ines.with-a-long-name-that-wraps@subdomain.example.com`
  const { inspect, problems } = inspectScreens(page)

  await visitor.open('/account')
  await inspect('account signed out')
  await signInDialog.open()
  await signInDialog.dialog.getByRole('button', { name: 'Continue' }).click()
  await signInDialog.dialog.getByText('Write an email address, or').waitFor()
  await inspect('sign in with an error')
  await signInDialog.option('Use a passkey').click()
  await inspect('new passkey')
  await signInDialog.option('Sandbox Wallet').click()
  await visitor.wallet.reject('Sign in')
  await signInDialog.dialog.getByText('Not signed in.').waitFor()
  await inspect('wallet declined')
  await signInDialog.dialog.getByRole('button', { name: 'Choose another way' }).click()
  await signInDialog.sendCode(address)
  await signInDialog.code.fill('000000')
  await signInDialog.dialog.getByText('The code is invalid or expired.').waitFor()
  await inspect('wrong code')
  await signInDialog.code.fill(await sandbox.accounts.code(address))
  await page.getByRole('button', { name: `Signed in as ${address}` }).waitFor()
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  // The button that opened the dialog is gone.
  await expect.poll(() => focused(page)).toBe('Account')
  await page.getByRole('button', { name: `Signed in as ${address}` }).click()
  await inspect('user menu')
  await page.keyboard.press('Escape')

  await account.open()
  await account.card('Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('heading', { name: `Add this login to the account of ${address}?` }).waitFor()
  await inspect('question before a login is added')
  await page.keyboard.press('Escape')
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page)).toBe('Add passkey')
  await addPasskey(visitor, address)
  await inspect('account')
  await account
    .card('Ways to sign in')
    .getByRole('button', { name: `Unlink ${address}` })
    .click()
  await page.getByText(`You will no longer sign in with ${address}.`).waitFor()
  await inspect('unlink')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe(`Unlink ${address}`)
  await page.getByRole('button', { name: 'Choose a username' }).click()
  await typeInto(page.getByLabel('Username', { exact: true }), 'Inés')
  await page.keyboard.press('Enter')
  await page.getByText('Take 3 to 32 letters').waitFor()
  await inspect('username')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Choose a username')
  await account.card('Two-step sign-in').getByRole('button', { name: 'Authenticator app' }).click()
  const key = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await inspect('authenticator app')
  await page.getByLabel('Code', { exact: true }).fill(totpAt(key, Date.now()))
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Your recovery codes')
  await inspect('recovery codes')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect.poll(() => focused(page)).toBe('Two-step sign-in')
  await account.card('Delete account').getByRole('button', { name: 'Delete account' }).click()
  await page.getByLabel('Type “delete” to confirm').fill('delete')
  await inspect('delete')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
  expect(problems).toEqual([])
})

it('a page that loads for a signed-in user moves no focus and stays at its top, with the whole header in sight', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await visitor.connect()
  await signInByCode(sandbox, visitor, 'a.long.address@subdomain.example.com')
  await visitor.open('/account')
  await page.getByText('This one').waitFor()
  expect(await page.evaluate(() => [document.activeElement?.tagName, scrollY])).toEqual(['BODY', 0])
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toBe('Skip to content')
  const bar = page.getByRole('banner').locator('.bar')
  // Addresses differ in width; this is the widest.
  await bar.locator('bdi').evaluate(address => {
    address.textContent = 'WWWW…WWWW'
  })
  for (const width of [320, 420, 767, 768, 900, 1000, 1279, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const getRoom = () =>
      bar.evaluate(bar => {
        const last = bar.querySelector('.user-button')?.getBoundingClientRect().right ?? Number.NaN
        return Math.round(
          bar.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(bar).paddingRight) - last,
        )
      })
    await expect.poll(getRoom, { message: `${width} pixels` }).toBe(0)
  }
})

it('the bar at the top shows the whole name of the network on a phone', async () => {
  const { page } = await sandbox.visit('/', { viewport: { width: 420, height: 800 } })
  const cut = await page.getByLabel('Network', { exact: true }).evaluate((select: HTMLElement) => {
    const { width } = select.getBoundingClientRect()
    Object.assign(select.style, { flex: 'none', width: 'max-content' })
    return select.getBoundingClientRect().width - width
  })
  expect(cut).toBeLessThanOrEqual(0)
})
