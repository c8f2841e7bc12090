/** Types of the instance that `createKeybay` returns to the host. */
import type { Accounts } from './accounts.js'
import type { Config, ResolvedConfig } from './config.js'
import type { Connector } from './connector.js'
import type { Bus } from './events.js'
import type { Logger } from './logger.js'
import type { AnyPlugin, ApisOf, CheckPlugins, ConnectorOf } from './plugin.js'
import type { PromptQueue } from './prompt.js'
import type { ConnectorRegistry } from './registry.js'
import type { Session } from './session.js'
import type { Attempts, Connection, Connections, SessionState } from './snapshots.js'

type Match<C, Id extends string> = C extends { readonly id: infer I } ? (Id extends I ? C : never) : never
// A template-literal pattern makes an index signature, so an empty object satisfies its Record.
type IsPattern<S extends string> = Record<never, never> extends Record<S, 1> ? true : false
/** A static id gives its connector, an id that fits a run-time pattern its connector or undefined, any other `Connector | undefined`. */
export type Found<C extends Connector, Id extends string> = string extends Id
  ? Connector | undefined
  : [Match<C, Id>] extends [never]
    ? Connector | undefined
    : IsPattern<Match<C, Id>['id']> extends true
      ? Match<C, Id> | undefined
      : Match<C, Id>

/** The installed connectors. Snapshots keep their reference until something changed. */
export interface Registry<C extends Connector = Connector>
  extends Pick<ConnectorRegistry, 'list' | 'subscribe' | 'serverList' | 'preload' | 'announce'> {
  get<const Id extends C['id'] | (string & Record<never, never>)>(id: Id): Found<C, Id>
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

/** The part of an instance that does not depend on its plugins. */
export interface Core<C extends Connector = Connector> {
  readonly config: ResolvedConfig
  readonly connectors: Registry<C>
  readonly connections: Connections
  readonly accounts: Accounts
  readonly attempts: Attempts
  /** The open prompts; any UI may answer them. */
  readonly prompts: Pick<PromptQueue, 'list' | 'subscribe'>
  readonly session: Session
  /** For UI: logs as the kernel does, at the host's log level. */
  readonly logger: Logger
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
  /** Calls the listener for every event: for timelines and devtools. */
  onAny: Bus['onAny']
  dispose(): void
}
/** `Core` without the inference: for the implementation, and for code that works with any host. */
export interface AnyCore extends Omit<Core, 'connect' | 'connectors'> {
  readonly connectors: Omit<Registry, 'get'> & { get(id: string): Connector | undefined }
  connect(id: string, input?: unknown, options?: { readonly signal?: AbortSignal }): Promise<Connection | SessionState>
}
export type Keybay<P extends AnyPlugin = never> = Core<ConnectorOf<P>> & ApisOf<P>
export interface KeybayOptions<P extends readonly AnyPlugin[]> extends Config {
  readonly plugins: P & CheckPlugins<P>
}

/** The host declares the type of its instance: `declare module '@keybay/kernel' { interface Register { keybay: typeof keybay } }` */
// biome-ignore lint/suspicious/noEmptyInterface: the host merges into it
export interface Register {}
export type Registered = Register extends { readonly keybay: infer K } ? K : Core
