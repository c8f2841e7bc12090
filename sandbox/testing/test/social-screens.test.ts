/** Tests the screens of social sign-in, with axe. */
import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'
import { choose, openWindow, press, signedIn } from '../src/social.js'

const { visit } = setUpSandbox({ accounts: {}, social: true })

it('the social sign-in screens and the page that users return to have no axe violations, and none is too wide', async () => {
  const visitor = await visit('/')
  const { page, signInDialog, account, context } = visitor
  const { dialog } = signInDialog
  const { inspect, problems } = inspectScreens(page)
  await signInDialog.open()
  await inspect('providers')
  await dialog.getByRole('button', { name: /^Show all/ }).click()
  await inspect('all providers')
  await dialog.getByLabel('Search social accounts').fill('myspace')
  await dialog.getByText('No provider is called “myspace”.').waitFor()
  await inspect('no provider')
  await dialog.getByLabel('Search social accounts').fill('Shopify')
  await dialog.getByRole('button', { name: 'Shopify', exact: true }).click()
  await dialog.getByLabel('Your shop’s domain').fill('acme')
  await page.keyboard.press('Enter')
  await dialog.getByText('Write it like acme.myshopify.com.').waitFor()
  await inspect('shop domain')
  await page.reload()
  await signInDialog.open()
  await press(visitor, 'shopify')
  await dialog.getByText('Go on in the window of Shopify.').waitFor()
  await inspect('window open')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Choose another way' }).click()
  const popup = await openWindow(visitor, 'google')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  await choose(popup)
  await signedIn(visitor)
  await account.open()
  await inspect('account with a social account')
  // A window whose opener is gone.
  await context.addInitScript(() => {
    if (location.pathname.startsWith('/auth/social/')) Object.defineProperty(window, 'opener', { value: window })
  })
  const back = await context.newPage()
  await back.goto(new URL('/auth/social/google?code=x&state=y', page.url()).href)
  await back.getByText('You can close this window and go back to the app.').waitFor()
  await inspect('return page', { page: back })
  expect(back.url()).not.toContain('code')
  expect(problems).toEqual([])
})
