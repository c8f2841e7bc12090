import type { MovableClock } from '@keybay/sandbox-service'
import type { Database } from './db/open.js'

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly [field: string]: unknown
}

/** What every provider and the storage work with. All that another instance needs is in the database. */
export interface Services {
  readonly db: Database
  readonly clock: MovableClock
  /** Where a browser reaches it, without a slash at the end: `http://identity.localhost:4500`. */
  readonly publicUrl: string
  readonly log: (line: LogLine) => void
}
