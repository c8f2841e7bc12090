/** Counts what a user does in every window and frame of a browser, except in dialogs of the operating system. */
import type { BrowserContext } from 'playwright-core'

declare global {
  var reportAction: (type: 'click' | 'keydown') => Promise<void>
}

/** Counts trusted events, so that it measures what happened, whatever the test believes. Call it before the first page opens. */
export async function countActions(context: BrowserContext) {
  const counts = { click: 0, keydown: 0 }
  await context.exposeBinding('reportAction', (_, type: keyof typeof counts) => {
    counts[type] += 1
  })
  await context.addInitScript(() => {
    for (const type of ['click', 'keydown'] as const)
      addEventListener(type, ({ isTrusted }) => isTrusted && void reportAction(type), true)
  })
  return () => ({ clicks: counts.click, keys: counts.keydown })
}
