/** Shortens the time-outs of a host page, for responses that will never come. */
import type { Page } from 'playwright-core'

const TIMES = 'keybay-test-haste'

/** Call once for each page, before the page is opened. */
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
