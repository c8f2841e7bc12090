/** Configuration that a connector's author passes to the suite. Types only. */
import type { Config } from '../config.js'
import type { Connector } from '../connector.js'
import type { AnyPlugin } from '../plugin.js'
import type { Prompt } from '../prompt.js'
import type { Clock } from '../spec/clock.js'

/** Behaviour of the user at the other side (in the wallet, at the provider) during a check. */
export type UserBehaviour = 'approves' | 'refuses' | 'is-away'

/** Setting of one check. `createConnector` receives it and prepares the other side to match. */
export interface Scene {
  readonly user: UserBehaviour
  /** Clock of the instance, also available as `config.clock`. */
  readonly clock: Clock
  /** Set by `createConnector`, called by the checks: the user who was away responds. Resolves when that is done. */
  comesBack?: () => Promise<void>
  /** Set by `createConnector`, called by the checks: the user selects another account in the wallet. */
  switchesAccount?: () => Promise<void>
  /** Set by `createConnector`, called by the checks: from now on the user refuses each signature. */
  refusesSigning?: () => Promise<void>
}
/**
 * Called once per instance. A reload calls it again with the same scene, which then holds the wallet's stored state.
 */
export type CreateConnector = (scene: Scene) => AnyPlugin

/** Scenes that `createConnector` can stage, in addition to a user who approves. */
export type Staging = Exclude<UserBehaviour, 'approves'> | 'switches-account' | 'refuses-signing'

export interface Expectations {
  readonly id: string
  readonly kind: Connector['kind']
  /** Input that the app passes to `connect`. */
  readonly input?: unknown
  /** Scenes that `createConnector` can stage; checks that need others are reported as skipped. Default: none. */
  readonly stages?: readonly Staging[]
  /** Scenes that this connector cannot meet, each with the reason: "connecting shows no prompt". */
  readonly notApplicable?: Readonly<Partial<Record<Staging, string>>>
  /** True if the wallet connects silently after a reload. Default true. */
  readonly reconnects?: boolean
  /** URL that this connector claims, if it uses a redirect. */
  readonly returnUrl?: string
  /** Responds to the connector's `ctx.prompt` for the user. Default: takes the first choice. */
  readonly answer?: (prompt: Prompt) => void
  readonly plugins?: () => readonly AnyPlugin[]
  readonly config?: Partial<Config>
  /** Secrets that must never leave the connector: into an error, a log, an event, the page, its storage or another tab. */
  readonly secrets?: readonly string[]
  /** Timeout of each wait, in real ms; only a failing check reaches it. Default 2000. */
  readonly patience?: number
}

/** Named requirement for a connector. */
export interface ConnectorCheck {
  readonly name: string
  readonly needs: Staging | undefined
  /** Returns true if the check applies to a connector with these expectations. */
  applies(expectations: Expectations): boolean
  /**
   * @throws Error that describes what the connector does wrong. A check that does not apply, or can't be staged, passes.
   */
  run(createConnector: CreateConnector, expectations: Expectations): Promise<void>
}
