import type { Clock, Log } from '@keybay/sandbox-service'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import type { CustodyService } from './custody/client.js'
import type { Database } from './db/open.js'
import type { Delivery } from './delivery.js'
import type { RecordKeys } from './embedded/relay-keys.js'
import type { Environment } from './environments.js'
import type { Hashes } from './security/hashes.js'
import type { ImportedKey, PublicJwk } from './security/jws.js'
import type { Keys } from './security/keys.js'
import type { RateLimits } from './security/rate-limits.js'
import type { SocialRegistry } from './social/registry.js'

/** What every route works with. All that another instance needs is in the database. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  readonly keys: Keys
  readonly hashes: Hashes
  /** For keys of wallets. */
  readonly envelope: Envelope
  /** Of session keys, which come again with every proof. */
  readonly importKey: (jwk: PublicJwk) => ImportedKey
  readonly limits: RateLimits
  readonly delivery: Delivery
  readonly custody: CustodyService
  readonly social: SocialRegistry
  /** R1's record keys, for environments that pin none. */
  readonly recordKeys: RecordKeys
  readonly environments: ReadonlyMap<string, Environment>
  /** Public, with `/api/v0`; the issuer of access tokens begins with it. */
  readonly publicUrl: string
  /** Origins under which this service is reached. */
  readonly origins: ReadonlySet<string>
  /** Proxies before us that add to X-Forwarded-For. */
  readonly trustedProxies: number
  readonly log: Log
}
