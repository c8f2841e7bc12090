/** The modules of one instance, as they know each other. Types only; `keybay.ts` puts them together. */
import type { AttemptRunner } from './attempts.js'
import type { ResolvedConfig } from './config.js'
import type { ConnectionControl } from './connections.js'
import type { Bus, MakeStore } from './events.js'
import type { Logger } from './logger.js'
import type { PromptQueue } from './prompts.js'
import type { Redirects } from './redirects.js'
import type { ConnectorRegistry } from './registry.js'
import type { SessionService } from './session.js'
import type { KeyValue } from './storage.js'
import type { Tabs } from './tabs.js'

export interface Parts {
  readonly config: ResolvedConfig
  readonly logger: Logger
  readonly bus: Bus
  readonly storage: KeyValue
  readonly tabs: Tabs
  /** Reports what listeners throw, and starts the instance at the first subscription. */
  readonly makeStore: MakeStore
  readonly session: SessionService
  readonly prompts: PromptQueue
  readonly redirects: Redirects
  readonly registry: ConnectorRegistry
  readonly attempts: AttemptRunner
  readonly connections: ConnectionControl
}
