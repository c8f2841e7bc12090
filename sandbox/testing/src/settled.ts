/** Waits for what comes late, so that what a test reads or draws next stays as it is. */
import type { BrowserContext, Page, Request } from 'playwright-core'

/** What else loads is data, which a test waits for by name: a screen may show that it has none yet. */
const PARTS = ['script', 'stylesheet', 'font', 'image']
/** In the place of a part whose code loads. React shows the part up to 300 ms after its code has come. */
const STAND_INS = '.page-loading, .on-phone-loading'
const loads = new WeakMap<Page, Set<Request>>()

/** Remembers what the pages load, for `settled`. Call it before the first page opens. */
export function watchLoads(context: BrowserContext): void {
  context.on('page', page => {
    const begun = new Set<Request>()
    loads.set(page, begun)
    page.on('request', request => PARTS.includes(request.resourceType()) && begun.add(request))
  })
}

/** Runs in the page. Waits until no motion that ends by itself is under way, and the page has nothing to do. */
async function rest(): Promise<void> {
  const motions = document.getAnimations().filter(({ playState, effect, timeline }) => {
    const { endTime } = effect?.getComputedTiming() ?? {}
    return playState === 'running' && timeline instanceof DocumentTimeline && endTime !== Number.POSITIVE_INFINITY
  })
  await Promise.allSettled([document.fonts.ready, ...motions.map(({ finished }) => finished)])
  // Unlike an idle callback, it does not stop with a test's clock.
  await scheduler.postTask(() => {}, { priority: 'background' })
}

/** Waits until no code, style, font, picture, stand-in or motion of a page is under way. */
export async function settled(page: Page): Promise<void> {
  const begun = loads.get(page) ?? new Set()
  do {
    for (const request of begun) {
      // A load that fails is over, too.
      await request.response().then(response => response?.finished())
      begun.delete(request)
    }
    await page.locator(STAND_INS).first().waitFor({ state: 'detached' })
    await page.evaluate(rest)
  } while (begun.size > 0)
}
