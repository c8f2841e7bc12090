/**
 * The user at the windows of their drive's provider, however these come about: opened, opened again under the same name,
 * loaded anew. Which account it is, is said once in every page that asks; a window that shows an error is closed.
 */
import type { BrowserContext, Page } from 'playwright-core'

const PERSON = 'Ann Archer'
/** The error page of the browser. */
const ERROR_PAGE = 'chrome-error:'

/** Once a context, when the host's page is there and none of these windows. */
export async function attendDriveWindows(context: BrowserContext): Promise<void> {
  // In the page itself: it can be there twice before anybody outside hears of it once.
  await context.addInitScript(person => {
    if (!window.opener) return
    addEventListener('DOMContentLoaded', () => {
      // Of the provider: too old, or refused.
      if (document.querySelector('main [role=alert]')) window.close()
      const entry = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(person))
      entry?.click()
    })
  }, PERSON)
  const attend = (popup: Page): void => {
    const look = (): void => {
      if (popup.url().startsWith(ERROR_PAGE)) popup.close().catch(() => {}) // it is closed
    }
    popup.on('framenavigated', look)
    // It may have come to that before anybody heard of the window.
    look()
  }
  context.on('page', attend)
}
