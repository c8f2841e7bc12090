/** Coming back from a redirect: who the address belongs to, and what was under way. */
import type { ConnectionControl } from './connections.js'
import type { Connector, ResumeContext } from './connector.js'
import { aborted, KeybayError, toKeybayError } from './errors.js'
import type { Bus } from './events.js'
import type { Logger } from './logger.js'
import type { PromptQueue } from './prompts.js'
import type { Redirects } from './redirects.js'
import type { ConnectorRegistry } from './registry.js'

export interface ReturnParts {
  readonly registry: ConnectorRegistry
  readonly connections: ConnectionControl
  readonly redirects: Redirects
  readonly prompts: PromptQueue
  readonly bus: Bus
  readonly logger: Logger
}

/** Looks at the address once the connector that claims it is there, which may be late. Returns stop. */
export const watchReturns = (parts: ReturnParts): (() => void) => {
  const { registry, connections, redirects, prompts, bus, logger } = parts
  // Read before the host's router changes it.
  const url = new URL(location.href)
  const over = new AbortController()

  const claims = (connector: Connector) => {
    try {
      return connector.claims?.(url) === true
    } catch (error) {
      logger.debug(`claims ${connector.id}`, error)
      return false
    }
  }
  const resume = async (connector: Connector) => {
    const { id: connectorId } = connector
    const attempt = await redirects.take(connectorId)
    if (!attempt || attempt.method === 'connect') {
      await connections.resume(connector, url, attempt).catch(() => {}) // reported by the attempt
      return
    }
    const { method } = attempt
    const ctx: ResumeContext = {
      attempt,
      signal: over.signal,
      silent: false,
      gesture: undefined,
      log: logger,
      prompt: input => prompts.ask(input, { connectorId, signal: over.signal }),
      redirect: to => redirects.leave(to, { connectorId, method }),
    }
    try {
      const result = await connector.resume?.(url, ctx)
      bus.emit('operation:resumed', { connectorId, method, result })
    } catch (thrown) {
      const error = toKeybayError(thrown, connectorId)
      logger.error(`${method} ${connectorId}`, error)
      bus.emit('operation:failed', { connectorId, method, error })
    }
  }
  let off = () => {}
  const look = () => {
    const owner = registry.list().find(claims)
    if (!owner) return
    off()
    void resume(owner)
  }
  off = registry.subscribe(look)
  look()
  return () => {
    off()
    over.abort(new KeybayError(aborted))
  }
}
