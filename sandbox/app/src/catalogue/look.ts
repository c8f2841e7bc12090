/** Theme and language of the kit's parts in this app: the catalogue changes them. */
import { createStore } from '@keybay/kernel'
import { useSyncExternalStore } from 'react'
import type { Appearance, UiLocale } from '../design/index.js'

interface Look {
  readonly appearance?: Appearance
  readonly locale?: UiLocale
}

const look = createStore<Look>({}, error => console.error(error))

export function useLook(): Look {
  return useSyncExternalStore(look.subscribe, look.get, look.get)
}

export function changeLook(change: Look): void {
  look.set({ ...look.get(), ...change })
}

export function resetLook(): void {
  look.set({})
}
