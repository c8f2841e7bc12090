/** Runs axe in a frame. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Frame } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns axe's violations on a screen. */
export async function violations(frame: Frame): Promise<readonly string[]> {
  // The debugger runs axe, because the page's policy does not limit the debugger. A screen may be checked in several states.
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe)
  const { violations } = await frame.evaluate(() =>
    Reflect.get(window, 'axe').run(document, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
    }),
  )
  return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`)
}
