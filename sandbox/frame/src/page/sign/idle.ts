/** Runs work when the page is idle. Safari has no `requestIdleCallback`. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 2_000 })
  else setTimeout(act)
}
