/** Short news that need no answer. Everything that a toast says is also on the page, so that missing one loses nothing. */
import { createStore } from '@keybay/kernel'

export interface Toast {
  readonly id: number
  readonly kind: 'good' | 'bad'
  readonly text: string
}
/** How long a toast stays, ms. */
const STAY_MS = 6000
const AT_MOST = 2

const store = createStore<readonly Toast[]>([], error => console.error(error))
let count = 0

export function dismiss(id: number): void {
  store.set(store.get().filter(toast => toast.id !== id))
}

export function toast(text: string, kind: Toast['kind'] = 'good'): void {
  const id = ++count
  store.set([...store.get(), { id, kind, text }].slice(-AT_MOST))
  setTimeout(() => dismiss(id), STAY_MS)
}
export const toasts: Pick<typeof store, 'get' | 'subscribe'> = store
