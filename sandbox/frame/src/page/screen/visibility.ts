/**
 * Detects whether the user can really see a prompt: nothing covers or fades it (Intersection Observer v2), and nothing
 * around the frame clips it. Protects against a page that hides the prompt to steal a click.
 */
import type { Clock } from '@keybay/kernel/spec'

/** Time that a prompt must be visible before a click counts, in ms. */
const SEEN_FOR = 500
/** Minimum delay that browsers allow, in ms. */
const DELAY = 100
/** Number of steps in which the observer reports how much of an element is visible. */
const STEPS = 100
/** Tolerance for zoom and half pixels at an edge, in CSS pixels. */
const EDGE = 2

function isVisible(entry: IntersectionObserverEntry): boolean {
  return Reflect.get(entry, 'isVisible') === true
}

/** Returns true if the browser detects occlusion. In Firefox and Safari the user types what only the frame shows. */
export function canSeeOcclusion(): boolean {
  return typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype
}

type Size = Pick<DOMRectReadOnly, 'width' | 'height'>

/** Returns the size of the part of an element that the frame's window shows. */
function getShownSize({ target, isIntersecting, boundingClientRect }: IntersectionObserverEntry): Size {
  // The observer reports nothing while an element stays out of sight, so measure it here.
  const { left, right, top, bottom } = isIntersecting ? boundingClientRect : target.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  return {
    width: Math.min(right, clientWidth) - Math.max(left, 0),
    height: Math.min(bottom, clientHeight) - Math.max(top, 0),
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
  /** Elements that the button confirms, the title first. */
  readonly parts: readonly Element[]
}

/**
 * Watches whether the user sees the whole button and all parts that the frame's window shows. The title must be seen
 * once, and may be scrolled away after that.
 * @param changed called with true once the user has seen them for a while, and with false before and after that
 */
export function watchVisibility({ button, parts }: Watched, clock: Clock, changed: (seen: boolean) => void): Watch {
  const latest = new Map<Element, IntersectionObserverEntry>()
  let isTitleSeen = false
  let last: boolean | undefined
  let cancel: (() => void) | undefined
  /** Returns undefined for a part that is scrolled out of the frame's own window. */
  const isPartSeen = (entry: IntersectionObserverEntry): boolean | undefined => {
    const shown = getShownSize(entry)
    return shown.width > EDGE && shown.height > EDGE ? isSeen(entry, shown) : undefined
  }
  const judge = () => {
    const agreed = latest.get(button)
    const entries = parts.flatMap(part => latest.get(part) ?? [])
    if (!agreed || entries.length < parts.length) return
    const seen = entries.map(isPartSeen)
    isTitleSeen ||= seen[0] === true
    const now = isTitleSeen && isSeen(agreed, agreed.boundingClientRect) && !seen.includes(false)
    if (now === last) return
    last = now
    cancel?.()
    cancel = undefined
    if (now) cancel = clock.after(SEEN_FOR, () => changed(true))
    else changed(false)
  }
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
      sight.disconnect()
      documentObserver.disconnect()
    },
  }
}
