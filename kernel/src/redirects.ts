/** Leaving the page and coming back: what was under way is stored first, and each is taken once, by its own answer. */
import type { StoredAttempt } from './connector.js'
import type { Parts } from './parts.js'
import { hasShape } from './shape.js'
import { configInvalid, KeybayError } from './spec/errors.js'

/** After this long nobody is waiting for the answer any more, ms. */
const OLDEST_MS = 3_600_000
/** What tells the answers of one connector apart; `true`: nothing does. */
type State = string | boolean | undefined

function keyOf(connectorId: string, state: State = true) {
  return `redirect:${connectorId}:${state}`
}

export interface Redirects {
  /** Stores the attempt, then leaves. Never settles. */
  leave(url: string, attempt: Omit<StoredAttempt, 'startedAt'>): Promise<never>
  /** Read once, cleared (S4.3). What others wait for stays, so that nobody's return takes it from them. */
  take(connectorId: string, state: State): Promise<StoredAttempt | undefined>
}

export function createRedirects({ config, storage, bus }: Pick<Parts, 'config' | 'storage' | 'bus'>): Redirects {
  const { clock } = config
  return {
    async leave(url, { connectorId, method, state }) {
      // A page address that runs script would run with the host's rights.
      if (new URL(url, location.href).protocol === 'javascript:') throw new KeybayError(configInvalid, { connectorId })
      // Not awaited: storage writes at once, and who cancels from here on comes too late.
      void storage.set(keyOf(connectorId, state), { connectorId, method, startedAt: clock.now() })
      bus.emit('redirect:started', { connectorId, method })
      location.assign(url)
      return new Promise<never>(() => {})
    },
    async take(connectorId, state) {
      const found = await storage.get(keyOf(connectorId, state))
      void storage.remove(keyOf(connectorId, state))
      if (!hasShape<StoredAttempt>(found, { method: 'string', startedAt: 'number' })) return undefined
      return clock.now() - found.startedAt < OLDEST_MS ? found : undefined
    },
  }
}
