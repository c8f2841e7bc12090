/** Types of the kernel as a plugin sees it. */
import type { Accounts } from './accounts.js'
import type { ResolvedConfig } from './config.js'
import type { Bus, MakeStore } from './events.js'
import type { Logger } from './logger.js'
import type { PromptQueue } from './prompt.js'
import type { Redirects } from './redirects.js'
import type { ConnectorRegistry } from './registry.js'
import type { SessionControl } from './session.js'
import type { Connection, Connections, SessionState } from './snapshots.js'
import type { Clock } from './spec/clock.js'
import type { ConnectorState } from './states.js'
import type { KeyValue } from './storage.js'
import type { Tabs } from './tabs.js'

/** Maps API keys to APIs. A plugin package adds its line by declaration merging, so that `requires` types `kernel.plugins`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins merge into it
export interface KeybayPlugins {}

/** The parts on which the modules of the kernel are built. */
export interface Base {
  readonly config: ResolvedConfig
  readonly clock: Clock
  readonly logger: Logger
  readonly storage: KeyValue
  readonly tabs: Tabs
  readonly events: Bus
  readonly makeStore: MakeStore
}

/** The argument of a plugin's `setup`. `R` are the ids of the plugins that it requires. */
export interface Kernel<R extends string = string> extends Omit<Base, 'makeStore'> {
  readonly session: SessionControl
  readonly connections: Connections & {
    /**
     * The host's own `connect` and `disconnect`.
     *
     * @param prove has the session's provider prove the wallet, whatever the app's `authMode`
     */
    connect(
      id: string,
      input: unknown,
      signal: AbortSignal | undefined,
      prove?: boolean,
    ): Promise<Connection | SessionState>
    disconnect(id: string): Promise<void>
    /** The connector's state, as in the table of the kernel's README. */
    state(id: string): ConnectorState
  }
  readonly accounts: Accounts
  readonly plugins: { readonly [K in R]: K extends keyof KeybayPlugins ? KeybayPlugins[K] : unknown }
  readonly connectors: Pick<ConnectorRegistry, 'list' | 'subscribe' | 'get' | 'add' | 'update'>
  /** Asks the user. */
  readonly prompt: PromptQueue['ask']
  /** For a wallet method that leaves the page (deep links): stores `{ connectorId, method, state }`, then goes. */
  readonly redirect: Redirects['leave']
  /**
   * Runs a step when the instance starts: at the first subscription, list or connect, in a browser only.
   * Listeners, storage reads and frames belong here. The function that it returns runs at dispose.
   */
  onStart(run: () => (() => void) | undefined): void
  onDispose(run: () => void): void
}
