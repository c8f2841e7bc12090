import { type RefObject, useEffect, useRef } from 'react'

/**
 * What has the focus may be taken away: a row that is removed, a form that is closed, the button of a dialog. Then the focus goes
 * here, not to the top of the page. Nothing that has it loses it.
 *
 * @param shown what changes when that happens
 * @returns for the element; without one it is the page's heading
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
