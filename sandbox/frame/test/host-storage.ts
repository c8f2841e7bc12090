/** Storage of a page that keeps backups itself: honest, with responses that a test can change. */
import type { Keeper } from './world.js'

export interface HostStorage {
  readonly keep: Keeper
  /** Envelopes of one wallet, by epoch. */
  readonly envelopes: Map<number, Uint8Array>
  /** Calls so far, e.g. `save 1`. */
  readonly calls: string[]
  /** Replacement for the honest behaviour. */
  instead: Keeper | undefined
}

export function createHostStorage(): HostStorage {
  const envelopes = new Map<number, Uint8Array>()
  const self: HostStorage = {
    envelopes,
    calls: [],
    instead: undefined,
    keep(action, name, envelope) {
      self.calls.push(`${action} ${name.epoch}`)
      if (self.instead) return self.instead(action, name, envelope)
      if (action === 'save') envelopes.set(name.epoch, new Uint8Array(Buffer.from(envelope ?? '', 'base64')))
      if (action === 'erase') for (const epoch of envelopes.keys()) if (epoch !== name.epoch) envelopes.delete(epoch)
      const stored = action === 'load' ? envelopes.get(name.epoch) : undefined
      return stored && Buffer.from(stored).toString('base64')
    },
  }
  return self
}
