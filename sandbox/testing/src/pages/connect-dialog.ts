import type { Locator, Page } from 'playwright-core'

export interface ConnectDialog {
  readonly dialog: Locator
  readonly search: Locator
  open(): Promise<void>
  /** Returns the button of a wallet. */
  option(name: string): Locator
  choose(name: string): Promise<void>
}

export function connectDialog(page: Page): ConnectDialog {
  const dialog = page.getByRole('dialog', { name: 'Connect a wallet', exact: true })
  const option = (name: string) => dialog.getByRole('button', { name })
  return {
    dialog,
    search: dialog.getByRole('searchbox'),
    async open() {
      await page.getByRole('button', { name: 'Connect wallet', exact: true }).first().click()
      await dialog.waitFor()
    },
    option,
    choose: name => option(name).click(),
  }
}
