/** What the author of a connector tells the suite. Types only. */

import type { Config } from '../config.js'
import type { Connector } from '../connector.js'
import type { AnyPlugin } from '../plugin.js'
import type { Prompt } from '../prompts.js'
import type { Clock } from '../spec/clock.js'

/** What the user at the other side (in the wallet, at the provider) does during a check. */
export type Person = 'approves' | 'refuses' | 'is-away'

/** What one check plays in. `createConnector` gets it, and arranges the other side accordingly. */
export interface Scene {
  readonly person: Person
  /** The clock of the instance; `config.clock` is the same one. */
  readonly clock: Clock
  /** Set by `createConnector`, called by the checks: the user who was away answers at last. Resolves when that is done. */
  comesBack?: () => Promise<void>
  /** Set by `createConnector`, called by the checks: the user chooses another account in the wallet. */
  switchesAccount?: () => Promise<void>
}
/** Called once per instance; after a reload again with the same scene, which then finds what the wallet remembers. */
export type CreateConnector = (scene: Scene) => AnyPlugin

/** What `createConnector` can stage besides a user who approves. */
export type Staging = Exclude<Person, 'approves'> | 'switches-account'

export interface Expectations {
  /** The connector's id. */
  readonly id: string
  readonly kind: Connector['kind']
  /** What a host hands to `connect`. */
  readonly input?: unknown
  /**
   * The checks that need what is not named here are skipped, and shown as skipped. Default: none.
   */
  readonly stages?: readonly Staging[]
  /** A wallet that answers silently after a reload. Default true. */
  readonly reconnects?: boolean
  /** An address that this connector claims, if it comes back by redirect. */
  readonly returnUrl?: string
  /** How a user answers what the connector asks through `ctx.prompt`. Default: takes the first choice. */
  readonly answer?: (prompt: Prompt) => void
  /** The plugins that this one requires. */
  readonly plugins?: () => readonly AnyPlugin[]
  readonly config?: Partial<Config>
  /** What must never be seen in an error, a log or an event. */
  readonly secrets?: readonly string[]
  /** How long a check waits for what must come, in real ms. Only a check that fails waits so long. Default 2000. */
  readonly patience?: number
}

/** One named demand on a connector. */
export interface ConnectorCheck {
  readonly name: string
  /** What has to be staged for it. */
  readonly needs: Staging | undefined
  /** Whether it says anything about a connector of which this is expected. */
  applies(expectations: Expectations): boolean
  /** @throws Error that says what the connector does wrong. One that does not apply, or cannot be staged, passes. */
  run(createConnector: CreateConnector, expectations: Expectations): Promise<void>
}
