/** Measures the height that the content needs, and tells the page, which sizes the window. */
import type { HandlerContext } from '@keybay/waas/protocol'

/**
 * Calls `changed` with the height of the whole content, now and whenever it changes.
 * @param box a prompt, or an element that does not scroll
 * @returns a function that stops it
 */
export function watchHeight(box: HTMLElement, changed: (height: number) => void): () => void {
  const parts = box.querySelector('.parts')
  const foot = box.querySelector('.foot') ?? box
  let last = 0
  const measure = () => {
    // Another prompt may have replaced this one.
    if (!box.isConnected) return
    // `scrollHeight` is rounded, and a window that is too small by half a pixel would scroll.
    const height = Math.ceil((parts?.scrollHeight ?? 0) + foot.getBoundingClientRect().height) + 1
    // A keyboard has to reach a part that scrolls. Without a need to scroll, Tab skips it.
    parts?.setAttribute('tabindex', parts.scrollHeight > parts.clientHeight + 1 ? '0' : '-1')
    if (height === last) return
    last = height
    changed(height)
  }
  const observer = new ResizeObserver(measure)
  for (const element of [foot, ...(parts ? [parts, ...parts.children] : [])]) observer.observe(element)
  measure()
  return () => observer.disconnect()
}

/** Sends heights in the progress of the operation that runs. */
export function createHeightReport() {
  let progress: HandlerContext['progress'] | undefined
  return {
    /** Reports with the progress of this operation from now on. */
    follow(context: Pick<HandlerContext, 'progress'>): void {
      progress = context.progress
    },
    report: (height: number): void => progress?.({ step: 'window', number: 0, of: 0, height }),
  }
}
