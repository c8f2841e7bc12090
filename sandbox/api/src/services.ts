import type { Clock, Log } from '@keybay/sandbox-service'
import type { Query } from '@keybay/sandbox-service/database'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import type { TokenBuckets } from '@keybay/sandbox-service/http'
import type { Context } from 'hono'
import type { CustodyService } from './custody/client.js'
import type { Database } from './db/open.js'
import type { Delivery } from './delivery.js'
import type { RecordKeys } from './embedded/relay-keys.js'
import type { Environment } from './environments.js'
import type { Hashes } from './security/hashes.js'
import type { ImportedKey, PublicJwk } from './security/jws.js'
import type { Keys } from './security/keys.js'
import type { RateLimits } from './security/rate-limits.js'
import type { Notices } from './security-log/notices.js'
import type { SocialRegistry } from './social/registry.js'

/** Dependencies of every route. All state that instances share is in the database. */
export interface Services {
  readonly db: Database
  readonly query: Query
  readonly clock: Clock
  readonly keys: Keys
  readonly hashes: Hashes
  /** Encrypts what is kept: keys of wallets, authenticator apps and providers' tokens. */
  readonly envelope: Envelope
  /** Imports and caches session keys, which recur with every proof. */
  readonly importKey: (jwk: PublicJwk) => ImportedKey
  readonly limits: RateLimits
  readonly delivery: Delivery
  readonly notices: Notices
  readonly custody: CustodyService
  readonly social: SocialRegistry
  /** URLs of the relays, with `/api/v0`. */
  readonly relays: readonly string[]
  /** R1's record keys, for environments that pin none. */
  readonly recordKeys: RecordKeys
  readonly environments: ReadonlyMap<string, Environment>
  /** Public URL, with `/api/v0`; the issuer of access tokens begins with it. */
  readonly publicUrl: string
  /** Origins at which this service is reached. */
  readonly origins: ReadonlySet<string>
  /** Returns the network of a request: an IPv4 address or an IPv6 /64. */
  readonly networkOf: (c: Context) => string
  /** Bodies that each network may send, in KiB. */
  readonly bodies: TokenBuckets
  readonly log: Log
  /**
   * ID in the log of the request that is served, sent as x-request-id to other services; undefined in a sweep. Not
   * optional, because V8 makes a new hidden class for each copy that gets more properties.
   */
  readonly requestId: string | undefined
}
