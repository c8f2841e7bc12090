/** Prepares a host page: shorter time-outs, and a user in the windows of a drive provider. */
import type { BrowserContext, Page } from 'playwright-core'

const TIMES = 'keybay-test-haste'

/** Lets a test shorten the time-outs of a page, for responses that never come. Call it before the page is opened. */
export async function allowHaste(page: Page): Promise<void> {
  await page.addInitScript(name => {
    const { setTimeout } = window
    window.setTimeout = new Proxy(setTimeout, {
      apply: (target, self, [run, ms, ...rest]) =>
        Reflect.apply(target, self, [run, Number(ms ?? 0) / Number(Reflect.get(window, name) ?? 1), ...rest]),
    })
  }, TIMES)
}

/** @param times as fast; 1 is the real time */
export function hurry(page: Page, times: number): Promise<boolean> {
  return page.evaluate(([name, times]) => Reflect.set(window, name, times), [TIMES, times] as const)
}

const ACCOUNT = 'Ann Archer'
/** URL scheme of the browser's error page. */
const ERROR_PAGE = 'chrome-error:'

/**
 * Acts as the user in the windows of a drive provider: chooses the account in every page that prompts for it, and
 * closes a window that shows an error. Call it when the host's page is open and none of these windows is.
 */
export async function attendDriveWindows(context: BrowserContext): Promise<void> {
  // Runs in the page itself, which can load twice before code outside sees one load.
  await context.addInitScript(account => {
    if (!window.opener) return
    addEventListener('DOMContentLoaded', () => {
      // The provider's error: the request is too old, or was refused.
      if (document.querySelector('main [role=alert]')) window.close()
      const entry = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(account))
      entry?.click()
    })
  }, ACCOUNT)
  context.on('page', popup => {
    const closeFailed = () => {
      if (popup.url().startsWith(ERROR_PAGE)) popup.close().catch(() => {}) // already closed
    }
    popup.on('framenavigated', closeFailed)
    // The window may have failed before this listener was added.
    closeFailed()
  })
}
