/** Tracks which parts of a prompt the user has had on the screen, in a prompt that may be longer than its window. */

/** Tolerance for zoom and half pixels at an edge, in CSS pixels. */
export const EDGE = 2
/** Number of slices of a part. A part is read when each slice was shown, because a part may be longer than the window. */
const SLICES = 100

export interface Extent {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Returns what the frame's window shows of a scrolling element. */
export function getShownExtent(scroller: Element): Extent {
  const { left, right, top, bottom } = scroller.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  return {
    left: Math.max(left, 0),
    right: Math.min(right, clientWidth),
    top: Math.max(top, 0),
    bottom: Math.min(bottom, clientHeight),
  }
}

export interface Reading {
  /** Counts what is on the screen now. */
  record(): void
  isDone(): boolean
  isAtEnd(): boolean
  stop(): void
}

/** @param changed called when the user scrolls, and when the window or the content has another size */
export function trackReading(scroller: Element, changed: () => void): Reading {
  let shown = new WeakMap<Element, Set<number>>()
  const record = () => {
    const { top, bottom } = getShownExtent(scroller)
    for (const part of scroller.children) {
      const rect = part.getBoundingClientRect()
      const slices = shown.get(part) ?? new Set()
      shown.set(part, slices)
      const size = rect.height / SLICES
      for (let slice = 0; slice < SLICES; slice++) {
        const start = rect.top + slice * size
        if (start >= top - EDGE && start + size <= bottom + EDGE) slices.add(slice)
      }
    }
  }
  let { innerWidth: width, innerHeight: height } = window
  const resize = () => {
    // The page sizes the window. It must not hide what the user has read by then behind the button.
    if (innerWidth < width - EDGE || innerHeight < height - EDGE) shown = new WeakMap()
    width = innerWidth
    height = innerHeight
    changed()
  }
  const observer = new ResizeObserver(changed)
  for (const element of [scroller, ...scroller.children]) observer.observe(element)
  // Where the window is too low for a scrolling element, the document scrolls.
  document.addEventListener('scroll', changed, { capture: true })
  window.addEventListener('resize', resize)
  return {
    record,
    isDone: () =>
      [...scroller.children].every(
        part => part.getBoundingClientRect().height <= EDGE || shown.get(part)?.size === SLICES,
      ),
    isAtEnd: () => scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - EDGE,
    stop() {
      observer.disconnect()
      document.removeEventListener('scroll', changed, { capture: true })
      window.removeEventListener('resize', resize)
    },
  }
}
