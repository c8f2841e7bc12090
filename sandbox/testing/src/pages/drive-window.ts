/** The window in which a user lets the wallet use their drive: the provider's own page. */
import type { Page } from 'playwright-core'

export interface DriveWindow {
  /** It closes itself. */
  allow(person?: string): Promise<void>
  deny(): Promise<void>
}
/** How long a password may be worked on before, ms. */
const PATIENCE = 60_000

/** The next one: by itself, or where the browser wants a press, by the kit's button. Call it before what opens it. */
export async function driveWindow(page: Page): Promise<DriveWindow> {
  const opening = page.waitForEvent('popup', { timeout: PATIENCE })
  const button = page.getByRole('button', { name: 'Open the window' })
  button
    .waitFor({ timeout: PATIENCE })
    .then(() => button.click())
    .catch(() => {}) // there is none where the window opened by itself
  const popup = await opening
  const press = async (name: string) => {
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name }).click({ noWaitAfter: true })
    await closed
  }
  return { allow: (person = 'Ann Archer') => press(person), deny: () => press('Deny') }
}
