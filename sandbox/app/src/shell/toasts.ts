/** Short messages that need no action. The page also shows what a toast says, so missing one loses nothing. */
import { createStore } from '@keybay/kernel'

export interface Toast {
  readonly id: number
  readonly kind: 'good' | 'bad'
  readonly text: string
}
/** Time that a toast stays, in ms. */
const STAY_MS = 6000
const MAX = 2

const store = createStore<readonly Toast[]>([], error => console.error(error))
let count = 0

export function dismiss(id: number): void {
  store.set(store.get().filter(toast => toast.id !== id))
}

export function toast(text: string, kind: Toast['kind'] = 'good'): void {
  const id = ++count
  store.set([...store.get(), { id, kind, text }].slice(-MAX))
  setTimeout(() => dismiss(id), STAY_MS)
}
export const toasts: Pick<typeof store, 'get' | 'subscribe'> = store
