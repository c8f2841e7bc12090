import type { Clock, Log } from '@keybay/sandbox-service'
import type { Labels } from '@keybay/sandbox-service/define-service'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import type { TokenBuckets } from '@keybay/sandbox-service/http'
import type { Context } from 'hono'
import type { Api } from './authority/api.js'
import type { Comparison } from './ceremonies/compare.js'
import type { rpcChain } from './chain.js'
import type { HasReplica } from './db/durability.js'
import type { Database } from './db/open.js'
import type { Environment } from './environments.js'
import type { PartyKeys } from './party.js'
import type { Peer } from './peer.js'
import type { Ceremonies } from './store/ceremonies.js'
import type { RateLimits } from './store/rate-limits.js'
import type { Sets } from './store/sets.js'
import type { Wallets } from './store/wallets.js'

export type RelayParty = 'R1' | 'R2'

/** Services of every route. All shared state is in the database, so that several instances can run. */
export interface Services {
  readonly party: RelayParty
  readonly keys: PartyKeys
  readonly peer: Peer
  readonly comparison: Comparison
  readonly db: Database
  /** Always true at R2, and in the sandbox, where a lost database costs nothing. */
  readonly hasReplica: HasReplica
  readonly sets: Sets
  readonly wallets: Wallets
  readonly ceremonies: Ceremonies
  readonly envelope: Envelope
  readonly limits: RateLimits
  readonly api: Api
  readonly chain: typeof rpcChain
  readonly clock: Clock
  readonly environments: ReadonlyMap<string, Environment>
  /** Public URL, with `/api/v0`. */
  readonly publicUrl: string
  /** Factor for the limit of signatures per minute and share set. */
  readonly limitFactor: number
  /** Returns the network of a request: an IPv4 address or an IPv6 /64. */
  readonly networkOf: (c: Context) => string
  /** Limits the requests of each network that did not succeed. */
  readonly admissions: TokenBuckets
  /** Records a round of a ceremony or signature, which began at `started` of `performance.now()`. */
  readonly measureRound: (started: number, labels: Labels<'route' | 'result'>) => void
  readonly log: Log
}
