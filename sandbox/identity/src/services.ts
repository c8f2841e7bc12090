import type { Log, MovableClock } from '@keybay/sandbox-service'
import type { Database } from './db/open.js'
import type { Faults } from './faults.js'
import type { Keys } from './keys.js'
import type { Records } from './records.js'

/** What every provider and the storage work with. All that another instance needs is in the database. */
export interface Services {
  readonly db: Database
  readonly clock: MovableClock
  /** Where a browser reaches it, without a slash at the end: `http://identity.localhost:4500`. */
  readonly publicUrl: string
  readonly records: Records
  readonly keys: Keys
  readonly faults: Faults
  /** Pages that people may be sent back to; see clients/clients.ts. */
  readonly redirectUris: readonly string[] | undefined
  /** The page that iCloud sends people back to: in the real thing it belongs to the API token. */
  readonly cloudKitCallback: string
  readonly log: Log
}
