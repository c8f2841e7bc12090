import { useState } from 'react'
import { readPreference, writePreference } from '../shell/preferences.js'

export interface DeveloperPanelState {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Stores in this browser whether the panel is open. */
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
