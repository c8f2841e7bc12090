/** Steps of a user on a phone whose wallets answer by leaving the page: see `@keybay/sandbox-wallets/phone`. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Visitor } from './visitor.js'

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}
/** Answers the dialog of the wallet that the tab shows. */
export async function inWallet(page: Page, title: string, button: 'Approve' | 'Reject' = 'Approve'): Promise<void> {
  await page.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
}
/** Sets how the phone's wallets answer from now on. */
export async function setAnswers({ context }: Visitor, phoneUrl: string, label: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(phoneUrl)
  await page.getByLabel('Answers come').selectOption({ label })
  await page.close()
}
export const IN_NEW_TAB = 'In a new tab, as on iOS'
