import type { Log, MovableClock } from '@keybay/sandbox-service'
import type { Database } from './db/open.js'
import type { Faults } from './faults.js'
import type { Keys } from './keys.js'
import type { Records } from './records.js'

/** Dependencies of every provider and the storage. The database holds everything that another instance needs. */
export interface Services {
  readonly db: Database
  readonly clock: MovableClock
  /** URL for a browser, without a trailing slash: `http://identity.localhost:4500`. */
  readonly publicUrl: string
  readonly records: Records
  readonly keys: Keys
  readonly faults: Faults
  /** Pages that users may be sent back to; see clients/clients.ts. */
  readonly redirectUris: readonly string[] | undefined
  /** Page to which iCloud sends users back; at Apple it belongs to the API token. */
  readonly cloudKitCallback: string
  readonly log: Log
}
