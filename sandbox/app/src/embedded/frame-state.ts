/** Of the wallet's hidden frame, from the first event on, whether a page shows it or not. */
import { createStore } from '@keybay/kernel'
import type { FrameState } from '@keybay/waas'
import { useSyncExternalStore } from 'react'
import { keybay } from '../keybay.js'

const store = createStore<FrameState>('not-loaded', error => console.error(error))
keybay.on('waas:frame', ({ state }) => store.set(state))

export function useFrameState(): FrameState {
  return useSyncExternalStore(store.subscribe, store.get)
}
