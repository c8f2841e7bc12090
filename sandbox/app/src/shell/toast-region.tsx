import { type ReactElement, useSyncExternalStore } from 'react'
import { Glyph } from '../design/icons.js'
import { dismiss, toasts } from './toasts.js'

/** Always in the page: a live region that appears together with its text is not read out. */
export function ToastRegion(): ReactElement {
  const list = useSyncExternalStore(toasts.subscribe, toasts.get)
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
