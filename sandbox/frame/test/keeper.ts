/** Storage of a page that keeps backups itself: honest, with responses that a test can change. */
import type { Keeper } from './world.js'

export interface HostStorage {
  readonly keep: Keeper
  /** Envelopes of one wallet, by epoch. */
  readonly kept: Map<number, Uint8Array>
  /** Calls so far, e.g. `save 1`. */
  readonly asked: string[]
  /** Replacement for the honest behaviour. */
  instead: Keeper | undefined
}

export function hostStorage(): HostStorage {
  const kept = new Map<number, Uint8Array>()
  const self: HostStorage = {
    kept,
    asked: [],
    instead: undefined,
    keep(action, name, envelope) {
      self.asked.push(`${action} ${name.epoch}`)
      if (self.instead) return self.instead(action, name, envelope)
      if (action === 'save') kept.set(name.epoch, new Uint8Array(Buffer.from(envelope ?? '', 'base64')))
      if (action === 'erase') for (const epoch of kept.keys()) if (epoch !== name.epoch) kept.delete(epoch)
      const found = action === 'load' ? kept.get(name.epoch) : undefined
      return found && Buffer.from(found).toString('base64')
    },
  }
  return self
}
