/** Inspects what a user sees in several looks, so that the flow that leads to a screen runs once. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { findViolations } from './axe.js'
import { findUnreachable } from './reach.js'
import { settled } from './settled.js'

interface Look {
  readonly colours: 'light' | 'dark'
  readonly width: number
  /** Only measures the content. */
  readonly withoutAxe?: boolean
}
export interface Inspection {
  /**
   * Checks the screen that is open, of which only the dialog or this part: axe, that no content is wider than the page, and
   * that all controls can be reached at 200 % zoom. A picture of a screen with problems is in `.reports/screens`.
   */
  inspect(name: string, options?: { readonly page?: Page; readonly part?: string }): Promise<void>
  readonly problems: readonly string[]
}

const SCREENS = fileURLToPath(new URL('../.reports/screens', import.meta.url))
const HEIGHT = 800
export const WIDE: Look = { colours: 'light', width: 1280 }
export const NARROW: Look = { colours: 'dark', width: 320 }
const LOOKS: readonly Look[] = [NARROW, WIDE]
/** Room that is left of a window of 1280 × 720 pixels at 200 % zoom. */
const ZOOMED = { width: 640, height: 360 }

/** Runs in the page. Returns how many pixels of the modal dialog, or of a page without one, need scrolling. */
function getHiddenHeight(): number {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1)
  const scrolled = dialog ? [dialog, ...dialog.querySelectorAll('*')] : [document.documentElement]
  return Math.max(...scrolled.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
}

/** @param looks the last one stays when a screen has been inspected */
export function inspectScreens(main: Page, looks: readonly Look[] = LOOKS): Inspection {
  const problems: string[] = []
  const report = async (page: Page, where: string, found: readonly string[]) => {
    if (found.length > 0) await page.screenshot({ path: `${SCREENS}/${where}.png` })
    problems.push(...found.map(line => `${where}: ${line}`))
  }
  return {
    problems,
    async inspect(name, { page = main, part } = {}) {
      const screen = name.replaceAll(' ', '-')
      await settled(page)
      await page.setViewportSize(ZOOMED)
      await report(page, `zoomed-${screen}`, await findUnreachable(page, part))
      for (const { colours, width, withoutAxe = false } of looks) {
        await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: HEIGHT })
        const [content = 0, room = 0] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return [scrollWidth, clientWidth]
        })
        const problems = content > room ? [`${content} px wide`] : []
        if (!withoutAxe) {
          // Viewport as tall as the content, so that no bar at an edge covers a button, at any scroll position.
          const hidden = await page.evaluate(getHiddenHeight)
          if (hidden > 0) await page.setViewportSize({ width, height: HEIGHT + hidden })
          problems.push(...(await findViolations(page, part)))
        }
        await report(page, `${colours}-${width}-${screen}`, problems)
      }
      await page.setViewportSize({ width: looks.at(-1)?.width ?? WIDE.width, height: HEIGHT })
    },
  }
}
