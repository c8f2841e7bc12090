/** Acts as a user in the sandbox wallet's own windows. */
import type { Locator, Page } from 'playwright-core'

export type RequestTitle = 'Connect' | 'Sign message' | 'Sign in' | 'Approve transaction' | 'Unlock wallet'
export interface WalletWindow {
  /** Returns the window of a request. */
  request(title: RequestTitle): Locator
  approve(title: RequestTitle): Promise<void>
  reject(title: RequestTitle): Promise<void>
  /** Opens the wallet's own window and presses a button there, e.g. `Lock wallet`. */
  press(button: string | RegExp): Promise<void>
}

export function walletWindow(page: Page): WalletWindow {
  const request = (title: RequestTitle) => page.getByRole('dialog', { name: title, exact: true })
  const answer = async (title: RequestTitle, button: string | RegExp) => {
    await request(title).getByRole('button', { name: button }).click()
    await request(title).waitFor({ state: 'hidden' })
  }
  return {
    request,
    approve: title => answer(title, /^(Approve|Unlock)$/),
    reject: title => answer(title, 'Reject'),
    async press(button) {
      await page.getByRole('button', { name: 'Open Sandbox Wallet' }).click()
      const panel = page.getByRole('dialog', { name: /Wallet$/ })
      await panel.getByRole('button', { name: button }).click()
      await panel.getByRole('button', { name: 'Close' }).click()
      await panel.waitFor({ state: 'hidden' })
    },
  }
}
