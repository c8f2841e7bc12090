import { useKeybay } from '@keybay/react'
import { createContext, useEffect, useSyncExternalStore } from 'react'
import { readPreference } from '../preferences.js'

export interface DevtoolsToggle {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** The panel's state, for components that the server renders too. */
export const Devtools = createContext<DevtoolsToggle>({ isOpen: false, toggle: () => {} })

/** Opens and closes the panel of `@keybay/devtools`, which is beside the app and not a part of it. */
export function useDevtools(): DevtoolsToggle {
  const { devtools } = useKeybay()
  const isOpen = useSyncExternalStore(devtools.subscribe, () => devtools.isOpen)
  return { isOpen, toggle: () => (isOpen ? devtools.close() : void devtools.open()) }
}

/** Windows in which the panel has room beside the page. */
const WIDE = '(min-width: 90rem)'

/** Shows the events beside the page on a wide screen, until the user closes or opens them the first time. */
export function useEventsBeside(): void {
  const { devtools } = useKeybay()
  useEffect(() => {
    if (readPreference('events') || !matchMedia(WIDE).matches) return
    devtools.open().catch(error => console.error(error))
  }, [devtools])
}
