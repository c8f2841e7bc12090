import { useState } from 'react'
import { readPreference, writePreference } from '../shell/preferences.js'

export interface DeveloperPanelState {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Open or not is kept in this browser. */
export function useDeveloperPanel(): DeveloperPanelState {
  const [isOpen, setOpen] = useState(() => readPreference('events') === 'open')
  return {
    isOpen,
    toggle: () => {
      writePreference('events', isOpen ? 'closed' : 'open')
      setOpen(!isOpen)
    },
  }
}
