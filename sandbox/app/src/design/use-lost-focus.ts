import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves focus to an element of the page when the focused element is removed, e.g. a deleted row, a closed form or a
 * dialog's button. Without it the browser resets focus to the top of the page. Does not take focus from an element
 * that has it.
 *
 * @param shown value that changes when the element may be removed
 * @returns ref for the element to focus; if it is not attached, the page's heading is focused
 * @example
 * const heading = useLostFocus<HTMLHeadingElement>(sessions.length)
 * return <h2 ref={heading} tabIndex={-1}>Sessions</h2>
 */
export function useLostFocus<T extends HTMLElement>(shown: unknown): RefObject<T | null> {
  const place = useRef<T>(null)
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return
    last.current = shown
    if (document.activeElement !== document.body) return
    const next = place.current ?? document.querySelector<HTMLElement>('main h1')
    next?.focus({ preventScroll: place.current === null })
  }, [shown])
  return place
}
