import { useKeybay } from '@keybay/react'
import { useSyncExternalStore } from 'react'

export interface DevtoolsToggle {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Opens and closes the panel of `@keybay/devtools`, which is beside the app and not a part of it. */
export function useDevtools(): DevtoolsToggle {
  const { devtools } = useKeybay()
  const isOpen = useSyncExternalStore(devtools.subscribe, () => devtools.isOpen)
  return { isOpen, toggle: () => (isOpen ? devtools.close() : void devtools.open()) }
}
