/** Short messages that need no action. The page also shows what a toast says, so missing one loses nothing. */
import { createStore, type Store } from '@keybay/kernel'
import { type ReactElement, useEffect, useSyncExternalStore } from 'react'
import { Explained } from './explained.js'
import { Glyph } from './glyph.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { useRoot } from './provider.js'

export interface Toast {
  readonly id: number
  readonly kind: 'good' | 'bad'
  /** An error is shown in words. */
  readonly text: string | Error
  readonly topic: string | undefined
}
/** Time that a toast stays, in ms. */
const STAY_MS = 6000
const MAX = 2
const toasts: Store<readonly Toast[]> = createStore<readonly Toast[]>([], error => console.error(error))
let count = 0

function dismiss(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id))
}

/** @param topic the toast replaces an earlier one of the same topic, which no longer holds */
export function toast(text: string | Error, kind: Toast['kind'] = 'good', topic?: string): void {
  const id = ++count
  const others = toasts.get().filter(other => topic === undefined || other.topic !== topic)
  toasts.set([...others, { id, kind, text, topic }].slice(-MAX))
  setTimeout(() => dismiss(id), STAY_MS)
}

/** Elements that can be scrolled into view as a whole. */
const CONTROLS = 'a, button, input, select, summary'

/**
 * Shows toasts. Always rendered, because screen readers skip a live region that appears together with its text.
 *
 * @example <ToastRegion />
 */
export function ToastRegion(): ReactElement {
  const { text: t } = useMessages(ui)
  const root = useRoot('keybay-toasts')
  const list = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  // On a small screen a toast may cover the control that was just pressed.
  useEffect(() => {
    const { activeElement } = document
    if (list.length && activeElement?.matches(CONTROLS)) activeElement.scrollIntoView({ block: 'nearest' })
  }, [list])
  const dismissClass = 'keybay-button keybay-button-quiet keybay-button-icon keybay-button-small'
  return (
    <div {...root} role="status" aria-live="polite" aria-label={t('notifications')}>
      {list.map(({ id, kind, text }) => (
        <div key={id} className={`keybay-toast keybay-toast-${kind}`}>
          <Glyph name={kind === 'bad' ? 'alert' : 'check'} />
          <span>{typeof text === 'string' ? text : <Explained error={text} />}</span>
          <button type="button" className={dismissClass} aria-label={t('dismiss')} onClick={() => dismiss(id)}>
            <Glyph name="close" size={18} />
          </button>
        </div>
      ))}
    </div>
  )
}
