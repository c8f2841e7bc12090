/** Locates the frame's screens, and presses their buttons as the user does. */
import type { FrameLocator, Page } from 'playwright-core'
import { press } from '../person.js'
import type { Outcome } from './matrix.js'

/** Locates the frame that the user sees, whenever it appears; a frame that does not load is replaced by another. */
export function getScreen(page: Page): FrameLocator {
  return page.frameLocator('iframe:not([hidden])')
}
/**
 * Presses a button of the visible frame whenever it appears, until the attempt ends, because not every click counts.
 */
export async function agreeing(page: Page, name: string, attempt: Promise<Outcome>): Promise<Outcome> {
  const button = getScreen(page).getByRole('button', { name, exact: true })
  let isOver = false
  const pressing = async () => {
    // If the button never appears, the attempt reports why.
    while (!isOver) await press(button).catch(() => {})
  }
  void pressing()
  return attempt.finally(() => {
    isOver = true
  })
}
/** Closes a question that an aborted operation may have left open. */
export async function leave(page: Page): Promise<void> {
  await page.bringToFront()
  for (;;) {
    const shown = await page.$('iframe:not([hidden])')
    if (!shown) return
    // Press only in this frame, which may disappear by itself: the next frame shows another question.
    const frame = await shown.contentFrame()
    if (frame) press(frame.getByRole('button', { name: 'Cancel' })).catch(() => {}) // the frame is gone
    await shown.waitForElementState('hidden')
  }
}
