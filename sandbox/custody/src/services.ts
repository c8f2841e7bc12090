import type { Clock, Log } from '@keybay/sandbox-service'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import type { Database } from './db/open.js'
import type { Enclave } from './keys/enclave.js'
import type { Mail } from './mail.js'

/** What every part works with. All that another instance needs is in the database. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  readonly envelope: Envelope
  readonly enclave: Enclave
  readonly mail: Mail
  /** The operator's own organisation. */
  readonly operatorId: string
  /** Of pages that may stamp by a passkey. */
  readonly origins: readonly string[]
  readonly rpIds: readonly string[]
  /** How long a request waits for its activity before it answers "pending", ms. */
  readonly patience: number
  readonly log: Log
}
