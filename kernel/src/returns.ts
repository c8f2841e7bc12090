/** Coming back from a redirect: who the address belongs to, or that nobody answered. */
import type { Connector } from './connector.js'
import type { Parts } from './parts.js'

/** Looks at the address once the connector that claims it is there, which may be late. Returns stop. */
export const watchReturns = ({
  registry,
  attempts,
  connections,
  redirects,
  logger,
}: Pick<Parts, 'registry' | 'attempts' | 'connections' | 'redirects' | 'logger'>): (() => void) => {
  // Read before the host's router changes it.
  const url = new URL(location.href)
  const claims = (connector: Connector) => {
    try {
      return connector.claims?.(url)
    } catch (error) {
      logger.debug(`claims ${connector.id}`, error)
      return false
    }
  }
  const look = async () => {
    const owner = registry.list().find(claims)
    if (!owner) return
    off()
    await connections.resume(owner, url, await redirects.take(owner.id)).catch(() => {}) // the attempt reports it
  }
  const off = registry.subscribe(look)
  void look()
  // Back from the browser's page cache: the person stepped back instead of answering.
  const back = ({ persisted }: PageTransitionEvent) => persisted && attempts.stopRedirecting()
  window.addEventListener('pageshow', back)
  return () => {
    off()
    window.removeEventListener('pageshow', back)
  }
}
