/**
 * Whether the user can truly see a question: nothing lies over it and nothing makes it faint (Intersection Observer v2), and
 * what is around the frame cuts nothing of it off. A page that does so to steal a click takes this away.
 */
import type { Clock } from '@keybay/kernel/spec'

/** How long it must have been seen before a click counts, ms. */
const SEEN_FOR = 500
/** The least that browsers allow, ms. */
const DELAY = 100
/** So finely it is entries how much of a part is seen. */
const STEPS = 100
/** Tolerance for zoom and half pixels at an edge, CSS pixels. */
const EDGE = 2

function isVisible(entry: IntersectionObserverEntry): boolean {
  return Reflect.get(entry, 'isVisible') === true
}

/** Not in Firefox and Safari: there the user types what only the frame shows. */
export function canSeeOcclusion(): boolean {
  return typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype
}

type Size = Pick<DOMRectReadOnly, 'width' | 'height'>

/** Returns the part of an element that the frame's window shows. */
function shownOf({ target, isIntersecting, boundingClientRect }: IntersectionObserverEntry): Size {
  // Of what is out of sight nothing is entries while it stays so.
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
  /** Elements that the button agrees to, the title first. */
  readonly parts: readonly Element[]
}

/**
 * Watches whether the user sees the whole button, and all parts that the frame's window shows. The title counts as seen once the
 * user scrolled past it.
 *
 * @param changed called with whether that has been so for a while; initially false
 */
export function watchVisibility({ button, parts }: Watched, clock: Clock, changed: (seen: boolean) => void): Watch {
  const latest = new Map<Element, IntersectionObserverEntry>()
  let isTitleSeen = false
  let last: boolean | undefined
  let cancel: (() => void) | undefined
  /** Undefined: it is scrolled out of the frame's own window. */
  const isPartSeen = (entry: IntersectionObserverEntry): boolean | undefined => {
    const shown = shownOf(entry)
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
  // Content outside the frame's window counts as not seen.
  const own = new IntersectionObserver(judge, { root: document })
  for (const part of [button, ...parts]) sight.observe(part)
  for (const part of parts) own.observe(part)
  return {
    stop() {
      cancel?.()
      sight.disconnect()
      own.disconnect()
    },
  }
}
