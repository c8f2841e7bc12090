/** Inspects each question of the wallet's window once in a run: the tests together ask all of them. */
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe.js'

/** Size that is left of a small window at 200 % zoom. */
const ZOOMED = { width: 320, height: 400 }
/** Titles, without names and hosts. */
const inspected = new Set<string>()

/** Returns what is wider than the window, and whether the button that agrees is out of sight. */
function measure(): readonly string[] {
  const wide = [...document.querySelectorAll('*')].filter(({ tagName, scrollWidth, clientWidth }) => {
    const mayScroll = tagName === 'PRE' || tagName === 'INPUT' || clientWidth === 0
    return !mayScroll && scrollWidth > clientWidth
  })
  const buttons = [...document.querySelectorAll('.buttons > button:not([hidden])')]
  const hidden = buttons.filter(button => {
    const { left, right, top, bottom } = button.getBoundingClientRect()
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
  })
  return [
    ...wide.map(({ outerHTML }) => `too wide: ${outerHTML.slice(0, 100)}`),
    ...hidden.map(({ textContent }) => `out of sight: ${textContent}`),
  ]
}

/** Checks the open question with axe, and that it fits into a small window at 200 % zoom. */
export async function inspectOnce(page: Page, frame: Frame): Promise<void> {
  const heading = (await frame.getByRole('heading', { level: 1 }).textContent()) ?? ''
  const title = heading.replace(/“.*”|\S+[.:]\S+/g, '…')
  if (inspected.has(title)) return
  inspected.add(title)
  const viewport = page.viewportSize()
  const problems = [...(await violations(frame))]
  // An element of the app has the size that the app gives it.
  if (viewport && (await page.locator('dialog[open] iframe:not([hidden])').count()) > 0) {
    await page.setViewportSize(ZOOMED)
    await frame.waitForFunction(width => innerWidth === width, ZOOMED.width)
    problems.push(...(await frame.evaluate(measure)))
    await page.setViewportSize(viewport)
  }
  expect([title, problems]).toEqual([title, []])
}
