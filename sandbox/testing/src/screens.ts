/** Inspects what a user sees in several looks, so that the flow that leads to a screen runs once. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { findViolations } from './axe.js'

interface Look {
  readonly colours: 'light' | 'dark'
  readonly width: number
}
export interface Inspection {
  /** Checks the screen that is open: axe, and that no content is wider than the page. Pictures go to `.reports/screens`. */
  inspect(name: string, page?: Page): Promise<void>
  readonly problems: readonly string[]
}

const SCREENS = fileURLToPath(new URL('../.reports/screens', import.meta.url))
const HEIGHT = 800
export const WIDE: Look = { colours: 'light', width: 1280 }
export const NARROW: Look = { colours: 'dark', width: 320 }
const LOOKS: readonly Look[] = [NARROW, WIDE]

/** @param looks the last one stays when a screen has been inspected */
export function inspectScreens(main: Page, looks: readonly Look[] = LOOKS): Inspection {
  const problems: string[] = []
  return {
    problems,
    async inspect(name, page = main) {
      for (const { colours, width } of looks) {
        await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: HEIGHT })
        // Viewport as tall as the content, so that no bar at an edge covers a button, at any scroll position.
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        await page.setViewportSize({ width, height: Math.max(HEIGHT, height) })
        const where = `${colours}-${width}-${name.replaceAll(' ', '-')}`
        await page.screenshot({ path: `${SCREENS}/${where}.png`, fullPage: true })
        const [content = 0, room = 0] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return [scrollWidth, clientWidth]
        })
        if (content > room) problems.push(`${where}: ${content} px wide`)
        problems.push(...(await findViolations(page)).map(line => `${where}: ${line}`))
        await page.setViewportSize({ width, height: HEIGHT })
      }
    },
  }
}
