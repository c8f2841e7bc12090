/** Tests the screens of social sign-in, with axe, light and wide, dark and narrow. */
import { describe, expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, press, signedIn } from '../src/social.js'

const { visit } = setUpSandbox({ accounts: {}, social: true })

describe.each([
  { colours: 'light', width: 1280 },
  { colours: 'dark', width: 320 },
] as const)('in $colours at $width px', ({ colours, width }) => {
  it('the social sign-in screens have no axe violations, and none is too wide', async () => {
    const visitor = await visit('/', { colorScheme: colours, viewport: { width, height: 800 } })
    const { page, signInDialog, account } = visitor
    const { dialog } = signInDialog
    const problems: string[] = []
    /** Inspects what the user sees now. */
    const look = async (name: string, at = page) => {
      const [content = 0, room = 0] = await at.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      if (content > room) problems.push(`${name}: ${content} px wide`)
      problems.push(...(await findViolations(at)).map(line => `${name}: ${line}`))
    }
    await signInDialog.open()
    await look('providers')
    await dialog.getByRole('button', { name: /^Show all/ }).click()
    await look('all providers')
    await dialog.getByLabel('Search social accounts').fill('myspace')
    await dialog.getByText('No provider is called “myspace”.').waitFor()
    await look('no provider')
    await press(visitor, 'shopify')
    await dialog.getByText('Go on in the window of Shopify.').waitFor()
    await look('window open')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('button', { name: 'Choose another way' }).click()
    const popup = await openWindow(visitor, 'google')
    await popup.getByRole('list', { name: 'Accounts' }).waitFor()
    await choose(popup)
    await signedIn(visitor)
    await account.open()
    await look('account')
    expect(problems).toEqual([])
  })

  it('the shop domain prompt and the page that users return to have no axe violations', async () => {
    const visitor = await visit('/', { colorScheme: colours, viewport: { width, height: 800 } })
    const { page, signInDialog } = visitor
    const { dialog } = signInDialog
    await signInDialog.open()
    await dialog.getByLabel('Search social accounts').fill('Shopify')
    await dialog.getByRole('button', { name: 'Shopify', exact: true }).click()
    await dialog.getByLabel('Your shop’s domain').fill('acme')
    await page.keyboard.press('Enter')
    await dialog.getByText('Write it like acme.myshopify.com.').waitFor()
    expect(await findViolations(page)).toEqual([])
    // A window whose opener is gone.
    await visitor.context.addInitScript(() => {
      if (location.pathname.startsWith('/auth/social/')) Object.defineProperty(window, 'opener', { value: window })
    })
    const back = await visitor.context.newPage()
    await back.goto(new URL('/auth/social/google?code=x&state=y', page.url()).href)
    await back.getByText('You can close this window and go back to the app.').waitFor()
    expect(await findViolations(back)).toEqual([])
    expect(back.url()).not.toContain('code')
  })
})
