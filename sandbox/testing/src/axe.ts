/** Runs axe in a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}
interface Axe {
  run(context: Document | Element, options: unknown): Promise<{ readonly violations: readonly Violation[] }>
}

/**
 * Returns one line for each violation on the screen: in the modal dialog that is open, because the page behind it takes
 * no input and was checked without it; else on the page.
 * @param part selector of the part of a page that changed since the last check
 */
export async function findViolations(page: Page, part?: string): Promise<readonly string[]> {
  // Through the debugger, because the page's policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations = await page.evaluate(
    async ([tags, part]) => {
      const axe: Axe = Reflect.get(globalThis, 'axe')
      const context = [...document.querySelectorAll('dialog:modal')].at(-1) ?? (part && document.querySelector(part))
      // Axe describes other results too, which takes a third of its time.
      const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }
      return (await axe.run(context || document, options)).violations
    },
    [TAGS, part] as const,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} ${JSON.stringify(target)} ${failureSummary ?? ''}`),
  )
}
