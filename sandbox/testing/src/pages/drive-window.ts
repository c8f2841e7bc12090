/** Acts in the window in which a user lets the wallet use their drive: the provider's own page. */
import type { Page } from 'playwright-core'

export interface DriveWindow {
  /** Chooses an account and allows access; the window then closes itself. */
  allow(name?: string): Promise<void>
  deny(): Promise<void>
}
/** Time for a password derivation before the window opens, in ms. */
const TIMEOUT_MS = 60_000

/**
 * Returns the next window; presses the kit's button if the browser requires a press. Call before the action that opens
 * it.
 */
export async function driveWindow(page: Page): Promise<DriveWindow> {
  const opening = page.waitForEvent('popup', { timeout: TIMEOUT_MS })
  const button = page.getByRole('button', { name: 'Open the window' })
  button
    .waitFor({ timeout: TIMEOUT_MS })
    .then(() => button.click())
    .catch(() => {}) // no button if the window opened by itself
  const popup = await opening
  const press = async (name: string) => {
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name }).click({ noWaitAfter: true })
    await closed
  }
  return { allow: (name = 'Ann Archer') => press(name), deny: () => press('Deny') }
}
