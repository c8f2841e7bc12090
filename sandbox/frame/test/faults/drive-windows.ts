/**
 * Acts as the user in the windows of a drive provider: opened, opened again under the same name, or reloaded. Chooses
 * the account once in every page that prompts for it; closes a window that shows an error.
 */
import type { BrowserContext, Page } from 'playwright-core'

const PERSON = 'Ann Archer'
/** URL scheme of the browser's error page. */
const ERROR_PAGE = 'chrome-error:'

/** Call once for each context, when the host's page is open and none of these windows is. */
export async function attendDriveWindows(context: BrowserContext): Promise<void> {
  // Runs in the page itself, which can load twice before code outside sees one load.
  await context.addInitScript(person => {
    if (!window.opener) return
    addEventListener('DOMContentLoaded', () => {
      // The provider's error: the request is too old, or was refused.
      if (document.querySelector('main [role=alert]')) window.close()
      const entry = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(person))
      entry?.click()
    })
  }, PERSON)
  const attend = (popup: Page): void => {
    const look = (): void => {
      if (popup.url().startsWith(ERROR_PAGE)) popup.close().catch(() => {}) // already closed
    }
    popup.on('framenavigated', look)
    // The window may have failed before this listener was added.
    look()
  }
  context.on('page', attend)
}
