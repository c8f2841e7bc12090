/** Acts as a user without a mouse. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than any page has; reached only if an element cannot get the focus. */
const MAX_STOPS = 80

/** Returns the name that a screen reader gives the focused element; searches shadow roots. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    const labels = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : []
    return (element?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element?.textContent ?? '').trim()
  })
}

/** Types into a field that takes the focus by itself, once it has it. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.and(field.page().locator(':focus')).waitFor()
  await field.page().keyboard.type(text)
}

/** Presses Tab until the element with this name has the focus, and checks that the focus is visible. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab')
    const here = await focused(page)
    if (typeof name === 'string' ? here !== name : !name.test(here)) continue
    const outline = await page.evaluate(() => {
      let element = document.activeElement
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
      return element ? getComputedStyle(element).outlineStyle : 'none'
    })
    expect([name, outline]).not.toEqual([name, 'none'])
    return
  }
  throw new Error(`Tab never came to ${name}`)
}
