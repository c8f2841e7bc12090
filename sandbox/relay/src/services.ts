import type { Clock, Log } from '@keybay/sandbox-service'
import type { Api } from './authority/api.js'
import type { Chain } from './chain.js'
import type { Database } from './db/open.js'
import type { Environment } from './environments.js'
import type { PartyKeys } from './party.js'
import type { Peer } from './peer.js'
import type { Ceremonies } from './store/ceremonies.js'
import type { Envelope } from './store/envelope.js'
import type { RateLimits } from './store/rate-limits.js'
import type { Sets } from './store/sets.js'
import type { Wallets } from './store/wallets.js'

export type RelayParty = 'R1' | 'R2'

/** What every route works with. All that another instance needs is in the database. */
export interface Services {
  readonly party: RelayParty
  readonly keys: PartyKeys
  readonly peer: Peer
  readonly db: Database
  readonly sets: Sets
  readonly wallets: Wallets
  readonly ceremonies: Ceremonies
  readonly envelope: Envelope
  readonly limits: RateLimits
  readonly api: Api
  readonly chain: Chain
  readonly clock: Clock
  readonly environments: ReadonlyMap<string, Environment>
  /** Public, with `/api/v0`. */
  readonly publicUrl: string
  /** Of signatures a minute and share set. */
  readonly limitFactor: number
  readonly log: Log
}
