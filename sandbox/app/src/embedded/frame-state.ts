/** State of the wallet's hidden frame, tracked from the first event, even while no page shows it. */
import { createStore } from '@keybay/kernel'
import type { FrameState } from '@keybay/waas'
import { useSyncExternalStore } from 'react'
import { keybay } from '../keybay.js'

const store = createStore<FrameState>('not-loaded', error => console.error(error))
keybay.on('waas:frame', ({ state }) => store.set(state))

export function useFrameState(): FrameState {
  return useSyncExternalStore(store.subscribe, store.get)
}
