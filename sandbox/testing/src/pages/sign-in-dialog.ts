import type { Locator, Page } from 'playwright-core'

export interface SignInDialog {
  /** Dialog with its present content: the sign-in methods, or a question. */
  readonly dialog: Locator
  readonly address: Locator
  readonly code: Locator
  open(): Promise<void>
  /** Enters an email address or a phone number, and waits for the code prompt. */
  sendCode(address: string): Promise<void>
  /** Returns the button of a sign-in method. */
  option(name: string): Locator
}

export function signInDialog(page: Page): SignInDialog {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('.dialog-body') })
  const address = dialog.getByLabel(/^(Email or phone number|Email address|Phone number)$/)
  const code = dialog.getByLabel('Code', { exact: true })
  return {
    dialog,
    address,
    code,
    async open() {
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
      await dialog.getByRole('heading', { name: 'Sign in or sign up' }).waitFor()
    },
    async sendCode(to) {
      await address.fill(to)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await code.waitFor()
    },
    option: name => dialog.getByRole('button', { name }),
  }
}
