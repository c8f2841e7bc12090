/** Finds the connector that the address is a response to, or notices that the user came back without one. */
import type { ConnectionService } from './connections.js'
import type { Connector } from './connector.js'
import type { Redirects } from './redirects.js'
import type { ConnectorRegistry } from './registry.js'
import { quietly } from './spec/shape.js'

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
