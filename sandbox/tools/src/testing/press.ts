/**
 * Presses buttons of the wallet's window, as a user does who reads it. Functions that take an element run in the page: they
 * use nothing of this file.
 */
import type { Locator } from 'playwright-core'

/** The waits for a button to count add up to about a minute. */
const MOST_PATIENCE_MS = 20_000

/** Waits in the page, which costs less than asking the page again and again. @returns false after `patience` ms */
function becomesEnabled(button: HTMLElement | SVGElement, patience: number): Promise<boolean> {
  return new Promise(resolve => {
    const look = (isLast = false) => {
      const isEnabled = !button.hasAttribute('disabled')
      if (!isEnabled && !isLast) return
      observer.disconnect()
      resolve(isEnabled)
    }
    const observer = new MutationObserver(() => look())
    observer.observe(button, { attributes: true })
    setTimeout(look, patience, true)
    look()
  })
}

/**
 * Scrolls by half of what the window shows, and from the end to the beginning.
 * @returns true at the end, or where nothing scrolls
 */
function scrollQuestion({ ownerDocument }: Node): boolean {
  const parts = ownerDocument?.querySelector('.parts')
  if (!parts) return true
  const isAtEnd = parts.scrollTop + parts.clientHeight >= parts.scrollHeight - 1
  parts.scrollTo(0, isAtEnd ? 0 : parts.scrollTop + parts.clientHeight / 2)
  return isAtEnd
}

/** Scrolls a question until its button counts: once the user has seen the whole question. */
export async function readWhole(button: Locator): Promise<void> {
  let patience = 1_000
  while (!(await button.evaluate(becomesEnabled, patience))) {
    if (patience > MOST_PATIENCE_MS) throw new Error('The button stays disabled, though the user has seen it')
    // A tab behind another one shows nothing.
    await button.page().bringToFront()
    await button.page().locator('iframe:not([hidden])').last().scrollIntoViewIfNeeded()
    await button.scrollIntoViewIfNeeded()
    // A long question takes several steps.
    patience = (await button.evaluate(scrollQuestion)) ? patience * 1.5 : patience
  }
}

/** @returns a function that tells whether a button was clicked or is gone, alone or with its frame */
async function watchClicks(button: Locator): Promise<() => Promise<boolean>> {
  const watched = await button.evaluateHandle(element => {
    const watched = { element, isClicked: false }
    element.addEventListener('click', () => Object.assign(watched, { isClicked: true }), { capture: true, once: true })
    return watched
  })
  return () => watched.evaluate(({ element, isClicked }) => isClicked || !element.isConnected).catch(() => true)
}

/**
 * Reads a question to its end and clicks a button or a field of it until that has the click. Chromium loses a click into a
 * frame that the page moves or sizes at this moment, and Playwright reports success. The click may remove the frame and
 * then never end, so a removed button counts as clicked.
 */
export async function press(button: Locator): Promise<void> {
  await readWhole(button)
  const isClicked = await watchClicks(button)
  do {
    const clicked = button.click({ noWaitAfter: true })
    clicked.catch(() => {}) // the race reports the error
    await Promise.race([clicked, button.waitFor({ state: 'detached' }).catch(() => {})])
  } while (!(await isClicked()))
}
