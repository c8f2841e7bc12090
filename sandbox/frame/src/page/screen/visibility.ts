/**
 * Detects whether the user can really see a prompt: nothing covers or fades it (Intersection Observer v2), and nothing
 * around the frame clips it. Protects against a page that hides the prompt to steal a click.
 */
import type { Clock } from '@keybay/kernel/spec'
import { EDGE, type Extent, getShownExtent, trackReading } from './reading.js'

/** Time that a prompt must be visible before a click counts, in ms. */
const SEEN_FOR = 500
/** Minimum delay that browsers allow, in ms. */
const DELAY = 100
/** Number of steps in which the observer reports how much of an element is visible. */
const STEPS = 100

function isVisible(entry: IntersectionObserverEntry): boolean {
  return Reflect.get(entry, 'isVisible') === true
}

/**
 * Smallest scale at which texts can be read. A page can zoom a frame out, which the observer does not report. The frame
 * cannot tell that zoom from the browser's own, which the user can change: both are in `devicePixelRatio` alone.
 */
const MIN_SCALE = 0.5

/** Returns true if the browser detects occlusion. In Firefox and Safari the user types what only the frame shows. */
export function canSeeOcclusion(): boolean {
  return typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype
}

type Size = Pick<DOMRectReadOnly, 'width' | 'height'>

/** Returns the size of the part of an element that is inside `extent`. */
function getShownSize({ target, isIntersecting, boundingClientRect }: IntersectionObserverEntry, extent: Extent): Size {
  // The observer reports nothing while an element stays out of sight, so measure it here.
  const { left, right, top, bottom } = isIntersecting ? boundingClientRect : target.getBoundingClientRect()
  return {
    width: Math.min(right, extent.right) - Math.max(left, extent.left),
    height: Math.min(bottom, extent.bottom) - Math.max(top, extent.top),
  }
}

function isSeen(entry: IntersectionObserverEntry, { width, height }: Size): boolean {
  const { intersectionRect: seen, boundingClientRect: whole } = entry
  const reaches = (side: keyof Size, shown: number) => seen[side] >= shown - EDGE - whole[side] / STEPS
  return isVisible(entry) && reaches('width', width) && reaches('height', height)
}

export interface Watch {
  stop(): void
}
interface Watched {
  readonly button: Element
  /** Element that scrolls the prompt. */
  readonly scroller: Element
  /** Elements that the button confirms. */
  readonly parts: readonly Element[]
}
export type Sight =
  /** Something covers the button or a part, or the page cuts it off. */
  | 'covered'
  /** Page or browser are zoomed out so far that nothing can be read. */
  | 'tiny'
  /** The user has yet to scroll to a part. */
  | 'unread'
  /** The user scrolled to the end past a part. */
  | 'skipped'
  /** The user sees the button and what the window shows, and has had everything else on the screen. */
  | 'seen'

/**
 * Watches whether the user sees the whole button and all parts that the frame's window shows, and has had each part on
 * the screen once.
 * @param changed called with `seen` once that has been so for a while, and at once with anything else
 */
export function watchVisibility(
  { button, scroller, parts }: Watched,
  clock: Clock,
  changed: (sight: Sight) => void,
): Watch {
  const latest = new Map<Element, IntersectionObserverEntry>()
  let last: Sight | undefined
  let cancel: (() => void) | undefined
  /** Returns false for a part of which something is hidden that the frame's own window shows. */
  const isPartSeen = (entry: IntersectionObserverEntry, extent: Extent): boolean => {
    const shown = getShownSize(entry, extent)
    return shown.width <= EDGE || shown.height <= EDGE || isSeen(entry, shown)
  }
  const getSight = (agreed: IntersectionObserverEntry, entries: readonly IntersectionObserverEntry[]): Sight => {
    const extent = getShownExtent(scroller)
    if (devicePixelRatio < MIN_SCALE) return 'tiny'
    const isClear = entries.every(entry => isPartSeen(entry, extent))
    if (isClear) reading.record()
    if (!isClear || !isSeen(agreed, agreed.boundingClientRect)) return 'covered'
    if (reading.isDone()) return 'seen'
    return reading.isAtEnd() ? 'skipped' : 'unread'
  }
  const judge = () => {
    const agreed = latest.get(button)
    const entries = parts.flatMap(part => latest.get(part) ?? [])
    if (!agreed || entries.length < parts.length) return
    const now = getSight(agreed, entries)
    if (now === last) return
    last = now
    cancel?.()
    cancel = undefined
    if (now === 'seen') cancel = clock.after(SEEN_FOR, () => changed(now))
    else changed(now)
  }
  const reading = trackReading(scroller, judge)
  const threshold = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS)
  const options = { threshold, trackVisibility: true, delay: DELAY }
  const sight = new IntersectionObserver(entries => {
    for (const entry of entries) latest.set(entry.target, entry)
    judge()
  }, options)
  // Also judge when a part scrolls into or out of the frame's own window.
  const documentObserver = new IntersectionObserver(judge, { root: document })
  for (const part of [button, ...parts]) sight.observe(part)
  for (const part of parts) documentObserver.observe(part)
  return {
    stop() {
      cancel?.()
      reading.stop()
      sight.disconnect()
      documentObserver.disconnect()
    },
  }
}
