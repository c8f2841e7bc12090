/**
 * Implements `standard:events` for one wallet. A listener that throws affects neither the wallet nor other listeners.
 */
import type { StandardEventsChangeProperties, StandardEventsFeature } from '@wallet-standard/features'

export interface ChangeEmitter {
  readonly feature: StandardEventsFeature['standard:events']
  emit(change: StandardEventsChangeProperties): void
}

export function createChangeEmitter(): ChangeEmitter {
  const listeners = new Set<(change: StandardEventsChangeProperties) => void>()
  return {
    feature: {
      version: '1.0.0',
      on: (_, listener) => {
        // Wrapped in a new function, so that the same listener may be added twice and removed once.
        const wrappedListener = (change: StandardEventsChangeProperties) => listener(change)
        listeners.add(wrappedListener)
        return () => listeners.delete(wrappedListener)
      },
    },
    emit: change => {
      for (const listener of [...listeners]) {
        try {
          listener(change)
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}
