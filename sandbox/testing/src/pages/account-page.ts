import type { Locator, Page } from 'playwright-core'

export interface AccountPage {
  /** Returns a card by its heading. */
  card(name: string): Locator
  /** Returns the titles of a card's items. */
  rows(card: string): Promise<readonly string[]>
  /** Opens the page through the menu in the header. */
  open(): Promise<void>
  signOut(): Promise<void>
  /** Presses a button that prompts for confirmation, and confirms. */
  confirm(name: string): Promise<void>
}

export function accountPage(page: Page): AccountPage {
  const card = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true })
  const openMenu = () =>
    page
      .getByRole('banner')
      .getByRole('button', { name: /^Signed in as/ })
      .click()
  return {
    card,
    rows: name => card(name).getByRole('list').first().locator('.item-title').allInnerTexts(),
    async open() {
      await openMenu()
      await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
      await card('Profile').getByText('User id').waitFor()
    },
    async signOut() {
      await openMenu()
      await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    },
    async confirm(name) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('group').getByRole('button', { name, exact: true }).click()
    },
  }
}
