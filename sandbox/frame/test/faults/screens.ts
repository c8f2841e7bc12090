/** What the frame shows, and the user who presses what it asks. */
import type { FrameLocator, Page } from 'playwright-core'
import { press } from '../person.js'
import type { Outcome } from './matrix.js'

/** The frame that the user sees, whenever it comes: one that does not load is taken away, and another one comes. */
export function screenOf(page: Page): FrameLocator {
  return page.frameLocator('iframe:not([hidden])')
}
/** Presses a button of the visible frame whenever it is there, until all is over: a click may come when none counts. */
export async function agreeing(page: Page, name: string, attempt: Promise<Outcome>): Promise<Outcome> {
  const button = screenOf(page).getByRole('button', { name, exact: true })
  let isOver = false
  const pressing = async () => {
    // The attempt says why, where the button never comes.
    while (!isOver) await press(button).catch(() => {})
  }
  void pressing()
  return attempt.finally(() => {
    isOver = true
  })
}
/** Of what was broken off the question may still be there. */
export async function leave(page: Page): Promise<void> {
  await page.bringToFront()
  for (;;) {
    const shown = await page.$('iframe:not([hidden])')
    if (!shown) return
    // In this frame alone, which may go by itself: the next one's question is another.
    const frame = await shown.contentFrame()
    if (frame) press(frame.getByRole('button', { name: 'Cancel' })).catch(() => {}) // it is gone
    await shown.waitForElementState('hidden')
  }
}
