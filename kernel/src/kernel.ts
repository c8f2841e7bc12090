/** The two faces of the kernel: `Kernel` is what a plugin's setup gets, `Keybay` what the host gets. Types only. */
import type { Accounts } from './accounts.js'
import type { Attempts } from './attempts.js'
import type { Config, ResolvedConfig } from './config.js'
import type { Connection, Connections } from './connections.js'
import type { Connector, StoredAttempt } from './connector.js'
import type { Bus } from './events.js'
import type { Logger } from './logger.js'
import type { AnyPlugin, ApisOf, CheckPlugins, ConnectorOf, KeybayPlugins } from './plugin.js'
import type { PromptAnswer, PromptInput, PromptQueue, PromptType } from './prompts.js'
import type { Session, SessionControl, SessionState } from './session.js'
import type { Clock } from './spec/clock.js'
import type { KeyValue } from './storage.js'
import type { Tabs } from './tabs.js'

type Match<C, Id extends string> = C extends { readonly id: infer I } ? (Id extends I ? C : never) : never
// A template-literal pattern makes an index signature, so an empty object satisfies its Record.
type IsPattern<S extends string> = Record<never, never> extends Record<S, 1> ? true : false
/** Static id → the connector; an id that fits a run-time pattern → it or undefined; unknown → `Connector | undefined`. */
export type Found<C extends Connector, Id extends string> = string extends Id
  ? Connector | undefined
  : [Match<C, Id>] extends [never]
    ? Connector | undefined
    : IsPattern<Match<C, Id>['id']> extends true
      ? Match<C, Id> | undefined
      : Match<C, Id>

/** What is installed. Snapshots keep their reference until something changed. */
export interface Registry<C extends Connector = Connector> {
  list(): readonly Connector[]
  get<const Id extends C['id'] | (string & Record<never, never>)>(id: Id): Found<C, Id>
  subscribe(listener: () => void): () => void
  /** What a server renders: the connectors that plugins declare statically. */
  serverList(): readonly Connector[]
  /** Fetches the connector's heavy code (hover). Unknown ids and failures are ignored. */
  preload(id: string): void
  /** Shows the wallet to dapps of other libraries by Wallet Standard registration. Returns whether it was announced. */
  announce(id: string): boolean
}

/** A wallet connects, a login signs in. */
export type ConnectResult<C extends Connector, Id extends string> =
  Found<C, Id> extends infer F
    ? [Exclude<F, undefined>] extends [{ readonly kind: 'wallet' }]
      ? Connection
      : [Exclude<F, undefined>] extends [{ readonly kind: 'login' }]
        ? SessionState
        : Connection | SessionState
    : never

/** What a plugin's `setup` gets. `R`: the ids of the plugins it requires. */
export interface Kernel<R extends string = string> {
  readonly config: ResolvedConfig
  readonly clock: Clock
  readonly logger: Logger
  readonly storage: KeyValue
  readonly session: SessionControl
  readonly tabs: Tabs
  readonly events: Bus
  readonly connections: Connections & {
    /** As the host's own `connect` and `disconnect`. */
    connect(id: string, input: unknown, signal: AbortSignal | undefined): Promise<Connection | SessionState>
    disconnect(id: string): Promise<void>
  }
  readonly accounts: Accounts
  readonly plugins: { readonly [K in R]: K extends keyof KeybayPlugins ? KeybayPlugins[K] : unknown }
  readonly connectors: Pick<Registry, 'list' | 'subscribe'> & {
    get(id: string): Connector | undefined
    /** For what is known only at run time. The same id, or the same wallet object, twice is one entry. Returns remove. */
    add(connector: Connector): () => void
    /** Replaces name, icon or readiness; a new object, so that snapshots change. */
    update(id: string, patch: Partial<Pick<Connector, 'readiness' | 'icon' | 'name'>>): void
  }
  /** Asks the user. */
  prompt<const T extends PromptType>(
    input: PromptInput<T>,
    options?: { readonly connectorId?: string; readonly signal?: AbortSignal },
  ): Promise<PromptAnswer<T>>
  /** For a wallet method that leaves the page (deep links): stores `{ connectorId, method, state }`, then goes. */
  redirect(url: string, attempt: Omit<StoredAttempt, 'startedAt'>): Promise<never>
  /**
   * Runs when the instance first touches the world: the first subscriber or connect, in a browser only.
   * Listeners, storage reads and frames belong here; what it returns runs at dispose.
   */
  onStart(run: () => (() => void) | undefined): void
  onDispose(run: () => void): void
}

/** What every host gets, whatever its plugins. */
export interface Core<C extends Connector = Connector> {
  readonly config: ResolvedConfig
  readonly connectors: Registry<C>
  readonly connections: Connections
  readonly accounts: Accounts
  readonly attempts: Attempts
  /** The open questions; any UI may answer them. */
  readonly prompts: Pick<PromptQueue, 'list' | 'subscribe'>
  readonly session: Session
  /**
   * Connects a wallet or signs in with a login. One attempt per connector at a time: a second call joins the first.
   * @throws KeybayError `connector_unknown`, `connector_not_ready`, `user_rejected`, `connect_timeout`, `aborted`, `disposed`, …
   */
  connect<const Id extends C['id'] | (string & Record<never, never>)>(
    id: Id,
    input?: unknown,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ConnectResult<C, Id>>
  disconnect(id: string): Promise<void>
  /** Typed; returns unsubscribe. */
  on: Bus['on']
  /** Hears every event: for timelines and devtools. */
  onAny: Bus['onAny']
  dispose(): void
}
/** `Core` without the inference: what the implementation builds, and what code for any host may take. */
export interface AnyCore extends Omit<Core, 'connect' | 'connectors'> {
  readonly connectors: Omit<Registry, 'get'> & { get(id: string): Connector | undefined }
  connect(id: string, input?: unknown, options?: { readonly signal?: AbortSignal }): Promise<Connection | SessionState>
}
export type Keybay<P extends AnyPlugin = never> = Core<ConnectorOf<P>> & ApisOf<P>
export interface KeybayOptions<P extends readonly AnyPlugin[]> extends Config {
  readonly plugins: P & CheckPlugins<P>
}

/** The host says what its instance is: `declare module '@keybay/kernel' { interface Register { keybay: typeof keybay } }` */
// biome-ignore lint/suspicious/noEmptyInterface: the host merges into it
export interface Register {}
export type Registered = Register extends { readonly keybay: infer K } ? K : Core
