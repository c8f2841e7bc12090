/** Records every event of one instance, redacted before it is stored, from the moment the plugin is set up. */
import { createStore, type Kernel, redact, type Store } from '@keybay/kernel'
import type { Entry } from './api.js'

/** Maximum number of entries; the oldest are dropped. */
const MAX_ENTRIES = 500
/** A click counts for the events that follow within this time. */
const CLICK_MS = 5000
/** Attribute of the panel's element, whose clicks are not the app's. */
export const PANEL_ATTRIBUTE = 'data-keybay-devtools'

export interface Recorder {
  readonly entries: Store<readonly Entry[]>
  clear(): void
}

function isInPanel(event: Event): boolean {
  return event.composedPath().some(target => target instanceof Element && target.hasAttribute(PANEL_ATTRIBUTE))
}

export function createRecorder({ clock, events, logger, onStart }: Kernel): Recorder {
  const entries = createStore<readonly Entry[]>([], error => logger.error('devtools', error))
  let count = 0
  let clickedAt = Number.NEGATIVE_INFINITY
  events.onAny((event, payload) => {
    count += 1
    const at = clock.now()
    const clicked = at - clickedAt <= CLICK_MS ? { clickedAt } : {}
    entries.set([...entries.get(), { id: count, at, event, payload: redact(payload), ...clicked }].slice(-MAX_ENTRIES))
  })
  onStart(() => {
    const onClick = (event: Event) => {
      if (!isInPanel(event)) clickedAt = clock.now()
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  })
  return { entries, clear: () => entries.set([]) }
}
