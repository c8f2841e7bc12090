/** State of the wallet's hidden frame, tracked from the first event, even while no page shows it. */
import { type AnyCore, createStore, type KeybayEvents } from '@keybay/kernel'
import type { FrameState } from '@keybay/waas'
import { useSyncExternalStore } from 'react'

const store = createStore<FrameState>('not-loaded', error => console.error(error))

export function trackFrame({ on }: Pick<AnyCore, 'on'>): void {
  on('waas:frame', ({ state }: KeybayEvents['waas:frame']) => store.set(state))
}

const says: { readonly [S in FrameState]: { readonly text: string; readonly tag: string } } = {
  'not-loaded': { text: 'not loaded', tag: 'keybay-tag' },
  loading: { text: 'loading', tag: 'keybay-tag' },
  ready: { text: 'ready', tag: 'keybay-tag keybay-tag-good' },
  failed: { text: 'not reachable', tag: 'keybay-tag keybay-tag-bad' },
}

/** Shows whether the wallet frame, which holds this device's share, is loaded. */
export function FrameTag() {
  const { text, tag } = says[useSyncExternalStore(store.subscribe, store.get)]
  return <span className={tag}>Wallet frame {text}</span>
}
