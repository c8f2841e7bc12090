/** `standard:events` of one wallet. */
import type { WalletAccount } from '@wallet-standard/base'

export interface Change {
  readonly accounts: readonly WalletAccount[]
}
export interface Changes {
  readonly feature: {
    readonly version: '1.0.0'
    on(event: 'change', listener: (change: Change) => void): () => void
  }
  emit(change: Change): void
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>()
  return {
    feature: {
      version: '1.0.0',
      on(_event, listener) {
        // Its own function, so that the same listener may be added twice and removed once.
        const own = (change: Change) => listener(change)
        listeners.add(own)
        return () => void listeners.delete(own)
      },
    },
    emit(change) {
      for (const listener of [...listeners]) listener(change)
    },
  }
}
