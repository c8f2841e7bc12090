/** Names the parts of the app's pages and dialogs, and of the sandbox wallet's windows, as a user sees them. */
import type { Page } from 'playwright-core'
import { settled } from './settled.js'

export function accountPage(page: Page) {
  const card = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true })
  return {
    card,
    rows: (name: string) => card(name).getByRole('list').first().locator('.keybay-item-title').allInnerTexts(),
    async open() {
      await openMenu(page, 'Account', 'Account')
      await card('Profile').getByText('User id').waitFor()
    },
    async signOut() {
      const header = page.getByRole('banner')
      await header.getByRole('button', { name: /^Signed in as/ }).click()
      await header.getByRole('button', { name: 'Sign out' }).click()
      await header.getByRole('button', { name: 'Sign in' }).waitFor()
    },
    /** Presses a button that prompts for confirmation, and confirms. */
    async confirm(name: string) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('group').getByRole('button', { name, exact: true }).click()
    },
  }
}

export async function openMenu(page: Page, link: string, heading: string): Promise<void> {
  const header = page.getByRole('banner')
  await header.getByRole('button', { name: /^Signed in as/ }).click()
  await header.getByRole('link', { name: link }).click()
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

export function connectDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Connect a wallet', exact: true })
  const option = (name: string) => dialog.getByRole('button', { name })
  return {
    dialog,
    search: dialog.getByRole('searchbox'),
    async open() {
      await page.getByRole('button', { name: 'Connect wallet', exact: true }).first().click()
      await dialog.waitFor()
      await settled(page)
    },
    option,
    choose: (name: string) => option(name).click(),
  }
}

export function sendPage(page: Page) {
  const to = page.getByLabel('Destination')
  const amount = page.getByLabel('Amount')
  /** Steps that are done, in words. */
  const progress = page.getByRole('list', { name: 'Progress' })
  return {
    to,
    amount,
    asset: page.getByLabel('Asset'),
    note: page.getByLabel('Note'),
    speed: page.getByLabel('Speed'),
    /** Appears once the chain has simulated the transfer. */
    changes: page.getByRole('region', { name: 'What will change' }).getByRole('listitem'),
    submit: page.getByRole('main').getByRole('button', { name: 'Send', exact: true }),
    progress,
    confirmed: progress.getByText(/^Confirmed · slot \d+$/),
    explorerLink: page.getByRole('link', { name: 'Show the transaction in the explorer' }),
    async fill(address: string, sol: string) {
      await to.fill(address)
      await amount.fill(sol)
    },
  }
}

export function signInDialog(page: Page) {
  /** Dialog with its present content: the sign-in methods, or a question. */
  const dialog = page.getByRole('dialog').filter({ has: page.locator('.keybay-dialog-body') })
  const address = dialog.getByLabel(/^(Email or phone number|Email address|Phone number)$/)
  const code = dialog.getByLabel('Code', { exact: true })
  return {
    dialog,
    address,
    code,
    async open() {
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
      await dialog.getByRole('heading', { name: 'Sign in or sign up' }).waitFor()
      await settled(page)
    },
    /** Enters an email address or a phone number, and waits for the code prompt. */
    async sendCode(to: string) {
      await address.fill(to)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await code.waitFor()
    },
    /** Agrees that the login is added to the account of this name. */
    async agree(account: string) {
      await dialog.getByRole('heading', { name: `Add this login to the account of ${account}?` }).waitFor()
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    },
    /** Does the same as `sendCode`, to add the address to the account that is signed in. */
    async addAddress(to: string, account: string) {
      await address.fill(to)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await this.agree(account)
      await code.waitFor()
    },
    /** Returns the button of a sign-in method. */
    option: (name: string) => dialog.getByRole('button', { name }),
  }
}

type RequestTitle = 'Connect' | 'Sign message' | 'Sign in' | 'Approve transaction' | 'Unlock wallet'

export function walletWindow(page: Page) {
  const request = (title: RequestTitle) => page.getByRole('dialog', { name: title, exact: true })
  const answer = async (title: RequestTitle, button: string | RegExp) => {
    await request(title).getByRole('button', { name: button }).click()
    await request(title).waitFor({ state: 'hidden' })
  }
  return {
    request,
    approve: (title: RequestTitle) => answer(title, /^(Approve|Unlock)$/),
    reject: (title: RequestTitle) => answer(title, 'Reject'),
    /** Opens the wallet's own window and presses a button there, e.g. `Lock wallet`. */
    async press(button: string | RegExp) {
      await page.getByRole('button', { name: 'Open Sandbox Wallet' }).click()
      const panel = page.getByRole('dialog', { name: /Wallet$/ })
      await panel.getByRole('button', { name: button }).click()
      await panel.getByRole('button', { name: 'Close' }).click()
      await panel.waitFor({ state: 'hidden' })
    },
  }
}
