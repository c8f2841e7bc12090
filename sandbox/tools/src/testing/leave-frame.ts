/** Leaves a frame by the keyboard, as a user does. */
import type { Page } from 'playwright-core'

/**
 * Presses Escape where that removes the frame that has the focus, and does not wait: Chromium confirms the press only if
 * the frame still exists. The caller waits for what the press does.
 */
export function leaveFrame({ keyboard }: Page): void {
  keyboard.press('Escape').catch(() => undefined)
}
