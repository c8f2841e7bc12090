/** Coming back from a redirect: who the address belongs to, or that nobody answered. */
import type { Connector } from './connector.js'
import type { Parts } from './parts.js'
import { quietly } from './shape.js'
import { userRejected } from './spec/errors.js'

/** Looks at the address once the connector that claims it is there, which may be late. Returns stop. */
export function watchReturns({
  registry,
  attempts,
  connections,
  redirects,
}: Pick<Parts, 'registry' | 'attempts' | 'connections' | 'redirects'>): () => void {
  // Read before the host's router changes it.
  const url = new URL(location.href)
  const claims = (connector: Connector) => quietly(() => connector.claims?.(url))
  const look = async () => {
    const owner = registry.list().find(claims)
    if (!owner) return
    off()
    await connections.resume(owner, url, await redirects.take(owner.id, claims(owner))).catch(() => {}) // the attempt reports it
  }
  let off = () => {}
  // An answer comes in the query or the fragment: without either, a thousand connectors need not be asked.
  if (url.search + url.hash) {
    off = registry.subscribe(look)
    void look()
  }
  // Back from the browser's page cache: the user stepped back instead of answering.
  const back = ({ persisted }: PageTransitionEvent) =>
    persisted && attempts.stop(({ id }) => attempts.get(id)?.status === 'redirecting', userRejected)
  addEventListener('pageshow', back)
  return () => {
    off()
    removeEventListener('pageshow', back)
  }
}
