/** Finds the controls that a user of a small or zoomed page can't reach. */
import type { Frame, Page } from 'playwright-core'

/** Runs in the page. Scrolls to each control as the focus does, and returns a line for each that isn't all in sight. */
function listUnreachable(part: string | undefined): readonly string[] {
  const { clientWidth, clientHeight, scrollWidth } = document.documentElement
  const isInside = ({ left, top, right, bottom }: DOMRect) =>
    left >= -1 && right <= clientWidth + 1 && top >= -1 && bottom <= clientHeight + 1
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
  // A menu that is open covers the page.
  const open = modal ?? document.querySelector('.keybay-menu, .user-menu') ?? (part && document.querySelector(part))
  const scrolled = [...document.querySelectorAll('*')]
    .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
    .map(element => ({ element, top: element.scrollTop }))
  const problems = scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : []
  if (modal && !isInside(modal.getBoundingClientRect())) problems.push('the dialog is larger than the screen')
  for (const control of (open || document).querySelectorAll('a[href], button, input, select, textarea, summary')) {
    const isShown = control.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    // The skip link shows when it has the focus.
    if (!isShown || control.matches('.skip-link, [inert] *')) continue
    control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    // The first line of a link that takes several.
    const [box] = control.getClientRects()
    // One pixel is for screen readers only.
    if (!box || box.width <= 1) continue
    const name = control.getAttribute('aria-label') ?? control.textContent?.slice(0, 40)
    if (!isInside(box)) problems.push(`${control.localName} “${name}” is cut off by the screen`)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const points = [
      [x, y],
      [box.left + 2, y],
      [box.right - 2, y],
      [x, box.top + 2],
      [x, box.bottom - 2],
    ] as const
    // Two toasts leave less of the screen than some text fields are tall, and go by themselves.
    const isTall = control.localName === 'textarea'
    const covers = points
      .map(point => document.elementFromPoint(...point))
      .filter(top => !isTall || !top?.closest('.keybay-toast'))
      // The panel for developers has a root of its own, and makes room only on a wide page.
      .find(top => !control.contains(top) && !control.closest('label')?.contains(top) && !top?.shadowRoot)
    if (covers !== undefined)
      problems.push(`${control.localName} “${name}” is covered by ${covers?.outerHTML.slice(0, 80)}`)
  }
  for (const { element, top } of scrolled) element.scrollTop = top
  return problems
}

/** Returns a line for each problem on the screen: in the dialog or menu that is open, else on the page and in its frames. */
export async function findUnreachable(page: Page, part?: string): Promise<readonly string[]> {
  const isShown = async (frame: Frame) => !frame.parentFrame() || (await frame.frameElement()).isVisible()
  const problems: string[] = []
  for (const frame of page.frames())
    if (await isShown(frame)) problems.push(...(await frame.evaluate(listUnreachable, part)))
  return problems
}
