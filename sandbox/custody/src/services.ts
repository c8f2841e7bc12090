import type { Clock, Log } from '@keybay/sandbox-service'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import type { Database } from './db/open.js'
import type { Enclave } from './keys/enclave.js'
import type { Mail } from './mail.js'

/** Services of every module. All shared state is in the database, so that several instances can run. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  readonly envelope: Envelope
  readonly enclave: Enclave
  readonly mail: Mail
  /** The operator's own organisation. */
  readonly operatorId: string
  /** Origins of the pages that may stamp with a passkey. */
  readonly origins: readonly string[]
  readonly rpIds: readonly string[]
  /** Time to wait for an activity before the response says "pending", in ms. */
  readonly patience: number
  readonly log: Log
}
