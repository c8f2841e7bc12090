/** Leaving the page and coming back: what was under way is stored first, and taken once. */
import type { StoredAttempt } from './connector.js'
import { configInvalid, KeybayError } from './errors.js'
import type { Parts } from './parts.js'
import { hasShape } from './shape.js'

/** After this long nobody is waiting for the answer any more, ms. */
const OLDEST_MS = 3_600_000
const KEY = 'redirects'

const isStored = (value: unknown) =>
  hasShape<StoredAttempt>(value, { connectorId: 'string', method: 'string', startedAt: 'number' })

export interface Redirects {
  /** Stores the attempt, then leaves. Never settles. */
  leave(url: string, attempt: Omit<StoredAttempt, 'startedAt'>): Promise<never>
  /** Read once, cleared (S4.3). */
  take(connectorId: string): Promise<StoredAttempt | undefined>
}

export const createRedirects = ({ config, storage, bus }: Pick<Parts, 'config' | 'storage' | 'bus'>): Redirects => {
  const { clock } = config
  const read = async () => {
    const saved = await storage.get(KEY)
    return Array.isArray(saved) ? saved.filter(isStored) : []
  }
  return {
    async leave(url, { connectorId, method }) {
      // A page address that runs script would run with the host's rights.
      if (new URL(url, location.href).protocol === 'javascript:')
        throw new KeybayError(configInvalid, { connectorId, detail: 'redirect address' })
      const others = (await read()).filter(attempt => attempt.connectorId !== connectorId)
      await storage.set(KEY, [...others, { connectorId, method, startedAt: clock.now() }])
      bus.emit('redirect:started', { connectorId, method })
      location.assign(url)
      return new Promise<never>(() => {})
    },
    async take(connectorId) {
      const all = await read()
      const found = all.find(attempt => attempt.connectorId === connectorId)
      if (found)
        await storage.set(
          KEY,
          all.filter(attempt => attempt !== found),
        )
      return found && clock.now() - found.startedAt < OLDEST_MS ? found : undefined
    },
  }
}
