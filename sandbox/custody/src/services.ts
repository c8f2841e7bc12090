import type { Clock, Log } from '@keybay/sandbox-service'
import type { SecretEnvelope } from '@keybay/sandbox-service/envelope'
import type { Context } from 'hono'
import type { Database } from './db/open.js'
import type { Deriver } from './keys/deriver.js'
import type { Enclave } from './keys/enclave.js'
import type { Limits } from './limits.js'
import type { Mail } from './mail.js'

/** Services of every module. All shared state is in the database, so that several instances can run. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  readonly envelope: SecretEnvelope
  readonly enclave: Enclave
  readonly mail: Mail
  readonly limits: Limits
  /** Derives keys in a thread of its own. */
  readonly deriver: Deriver
  /** Returns the network of a request: an IPv4 address or an IPv6 /64. */
  readonly networkOf: (c: Context) => string
  /** The operator's own organization. */
  readonly operatorId: string
  /** Origins of the pages that may stamp with a passkey. */
  readonly origins: readonly string[]
  readonly rpIds: readonly string[]
  /** Time to wait for an activity before the response says "pending", in ms. */
  readonly patience: number
  readonly log: Log
}
