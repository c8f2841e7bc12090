import { type ReactElement, useEffect, useSyncExternalStore } from 'react'
import { Glyph } from '../design/icons.js'
import { dismiss, toasts } from './toasts.js'

/** Elements that can be scrolled into view as a whole. */
const CONTROLS = 'a, button, input, select, summary'

/** Always rendered, because screen readers skip a live region that appears together with its text. */
export function ToastRegion(): ReactElement {
  const list = useSyncExternalStore(toasts.subscribe, toasts.get)
  // On a small screen a toast may cover the control that was just pressed.
  useEffect(() => {
    const { activeElement } = document
    if (list.length && activeElement?.matches(CONTROLS)) activeElement.scrollIntoView({ block: 'nearest' })
  }, [list])
  return (
    <div className="toasts" role="status" aria-live="polite" aria-label="Notifications">
      {list.map(({ id, kind, text }) => (
        <div key={id} className={kind === 'bad' ? 'toast toast-bad' : 'toast'}>
          <Glyph name={kind === 'bad' ? 'alert' : 'check'} />
          <span>{text}</span>
          <button
            type="button"
            className="button button-quiet button-icon button-small"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
          >
            <Glyph name="close" size={18} />
          </button>
        </div>
      ))}
    </div>
  )
}
