/**
 * Whether the person can truly see an element: nothing lies over it, and nothing makes it faint (Intersection Observer v2).
 * A page that puts something over the frame to steal a click takes this away.
 */
import type { Clock } from '@keybay/kernel'

/** How long it must have been seen before a click counts, ms. */
const SEEN_FOR = 500
/** The least that browsers allow, ms. */
const DELAY = 100

const isSeen = (entry: IntersectionObserverEntry): boolean => Reflect.get(entry, 'isVisible') === true

/** Not in Firefox and Safari: there the person types what only the frame shows. */
export const canSeeOcclusion = (): boolean =>
  typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype

export interface Watch {
  stop(): void
}

/** @param changed says whether the element has been seen for a while; at first it has not */
export const watchVisibility = (target: Element, clock: Clock, changed: (seen: boolean) => void): Watch => {
  let cancel: (() => void) | undefined
  const options = { threshold: [1], trackVisibility: true, delay: DELAY }
  const observer = new IntersectionObserver(entries => {
    const entry = entries.at(-1)
    cancel?.()
    cancel = undefined
    if (!entry) return
    if (isSeen(entry)) cancel = clock.after(SEEN_FOR, () => changed(true))
    else changed(false)
  }, options)
  observer.observe(target)
  return {
    stop() {
      cancel?.()
      observer.disconnect()
    },
  }
}
