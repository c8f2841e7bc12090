/** What the frame shows, and the person who presses what it asks. */
import type { FrameLocator, Page } from 'playwright-core'
import { press } from '../person.js'
import type { Outcome } from './matrix.js'

/** The frame that the person sees, whenever it comes: one that does not load is taken away, and another one comes. */
export const screenOf = (page: Page): FrameLocator => page.frameLocator('iframe:not([hidden])')
/** Presses a button of the visible frame as soon as it is there, unless all is over before. */
export const agreeing = async (page: Page, name: string, attempt: Promise<Outcome>): Promise<Outcome> => {
  // The attempt says why, where the button never comes.
  press(screenOf(page).getByRole('button', { name, exact: true })).catch(() => {})
  return attempt
}
/** Of what was broken off the question may still be there. */
export const leave = async (page: Page): Promise<void> => {
  await page.bringToFront()
  while ((await page.locator('iframe:not([hidden])').count()) > 0)
    await press(screenOf(page).getByRole('button', { name: 'Cancel' }))
}
