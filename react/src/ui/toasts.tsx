/** Short messages that need no action. The page also shows what a toast says, so missing one loses nothing. */
import { createStore } from '@keybay/kernel'
import { useEffect, useSyncExternalStore } from 'react'
import { Glyph } from './icons.js'

interface Toast {
  readonly id: number
  readonly kind: 'good' | 'bad'
  readonly text: string
  readonly topic: string | undefined
}
/** Time that a toast stays, in ms. */
const STAY_MS = 6000
const MAX = 2
const toasts = createStore<readonly Toast[]>([], error => console.error(error))
let count = 0

function dismiss(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id))
}

/** @param topic the toast replaces an earlier one of the same topic, which no longer holds */
export function toast(text: string, kind: Toast['kind'] = 'good', topic?: string): void {
  const id = ++count
  const others = toasts.get().filter(other => topic === undefined || other.topic !== topic)
  toasts.set([...others, { id, kind, text, topic }].slice(-MAX))
  setTimeout(() => dismiss(id), STAY_MS)
}

/** Elements that can be scrolled into view as a whole. */
const CONTROLS = 'a, button, input, select, summary'

/** Always rendered, because screen readers skip a live region that appears together with its text. */
export function ToastRegion() {
  const list = useSyncExternalStore(toasts.subscribe, toasts.get)
  // On a small screen a toast may cover the control that was just pressed.
  useEffect(() => {
    const { activeElement } = document
    if (list.length && activeElement?.matches(CONTROLS)) activeElement.scrollIntoView({ block: 'nearest' })
  }, [list])
  const dismissClass = 'button button-quiet button-icon button-small'
  return (
    <div className="toasts" role="status" aria-live="polite" aria-label="Notifications">
      {list.map(({ id, kind, text }) => (
        <div key={id} className={`toast toast-${kind}`}>
          <Glyph name={kind === 'bad' ? 'alert' : 'check'} />
          <span>{text}</span>
          <button type="button" className={dismissClass} aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Glyph name="close" size={18} />
          </button>
        </div>
      ))}
    </div>
  )
}
