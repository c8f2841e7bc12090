/** Stores an attempt before the page is left, and resumes it when the page is back. Each is taken once, by its own response. */
import type { ConnectionService } from './connections.js'
import type { Connector, StoredAttempt } from './connector.js'
import type { Base } from './kernel.js'
import type { ConnectorRegistry } from './registry.js'
import { configInvalid, KeybayError } from './spec/errors.js'
import { hasShape, quietly } from './spec/shape.js'

/** A response that comes later is ignored. */
const MAX_AGE_MS = 3_600_000
/** Distinguishes the responses to one connector; `true` if nothing does. */
type State = string | boolean | undefined

function getKey(connectorId: string, state: State = true) {
  return `redirect:${connectorId}:${state}`
}

export interface Redirects {
  /** Stores the attempt, then leaves the page (a wallet method of a deep link, too). Never settles. */
  leave(url: string, attempt: Omit<StoredAttempt, 'startedAt'>): Promise<never>
  /** Returns an attempt and removes it (S4.3). Attempts with another state stay for their own responses. */
  take(connectorId: string, state: State): Promise<StoredAttempt | undefined>
}

export function createRedirects({ clock, storage, events }: Base): Redirects {
  return {
    async leave(url, { connectorId, method, state }) {
      // Such an address would run script with the host's rights.
      if (new URL(url, location.href).protocol === 'javascript:') throw new KeybayError(configInvalid, { connectorId })
      // Not awaited: storage writes synchronously, and past this point the attempt cannot be cancelled.
      void storage.set(getKey(connectorId, state), { connectorId, method, startedAt: clock.now() })
      events.emit('redirect:started', { connectorId, method })
      location.assign(url)
      return new Promise<never>(() => {})
    },
    async take(connectorId, state) {
      const key = getKey(connectorId, state)
      const stored = await storage.get(key)
      void storage.remove(key)
      const isSound = hasShape<StoredAttempt>(stored, { method: 'string', startedAt: 'number' })
      return isSound && clock.now() - stored.startedAt < MAX_AGE_MS ? stored : undefined
    },
  }
}

/** Resumes once a connector that claims the address is registered, which may be late. Returns stop. */
export function watchReturns({
  connectors,
  connections,
  redirects,
}: {
  readonly connectors: ConnectorRegistry
  readonly connections: Pick<ConnectionService, 'resume' | 'stepBack'>
  readonly redirects: Redirects
}): () => void {
  // Read now, before the host's router changes it.
  const url = new URL(location.href)
  const claims = (connector: Connector) => quietly(() => connector.claims?.(url))
  const resume = async () => {
    const owner = connectors.list().find(claims)
    if (!owner) return
    stop()
    await connections.resume(owner, url, await redirects.take(owner.id, claims(owner))).catch(() => {}) // the attempt reports the failure
  }
  let stop = () => {}
  // A response comes in the query or the fragment; without either, no connector need be asked.
  if (url.search + url.hash) {
    stop = connectors.subscribe(resume)
    void resume()
  }
  // From the browser's page cache: the user stepped back instead of responding.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && connections.stepBack()
  addEventListener('pageshow', onPageShow)
  return () => {
    stop()
    removeEventListener('pageshow', onPageShow)
  }
}
