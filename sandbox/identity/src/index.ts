/** Runs identity, the 22 social providers. Start reading at {@link startIdentity}, which puts the parts together. */
import { isLocalUrl, StartUpError } from '@keybay/sandbox-service'
import { defineService, type Service, type ServiceOptions } from '@keybay/sandbox-service/define-service'
import { openDatabase as openIdentityDatabase } from './db/open.js'
import { createFaults, Faults } from './faults.js'
import { mountIdentity } from './http/app.js'
import { loadKeys } from './keys.js'
import { createRecords } from './records.js'

export type { LogLine } from '@keybay/sandbox-service'

const PUBLIC_NAME =
  'IDENTITY_URL is not a name of this machine, and this service lets anyone sign in as any of its users. Remove IDENTITY_URL, or set it to a name like identity.localhost.'

export interface IdentityOptions extends Omit<ServiceOptions, 'invalid' | 'unsafe' | 'mode'> {
  /** Pages that users may return to; see the README. */
  readonly redirectUris?: readonly string[]
  /** Page that iCloud users return to; default: the wallet frame's return page on its default port. */
  readonly cloudKitCallback?: string
}

export interface Identity extends Service {
  /** Failures for tests, as `/admin/faults` sets them. */
  readonly faults: Faults
}

const start = defineService<IdentityOptions & ServiceOptions, Pick<Identity, 'faults'>>({
  name: 'identity',
  localName: () => 'identity.localhost',
  adminErrors: {
    notLocal: () => new Error('Only from this machine'),
    invalidRequest: ({ expected }) => new Error(`Expected ${expected}`),
  },
  async create({ options, clock, log, openDatabase }) {
    const { db } = await openDatabase(openIdentityDatabase)
    const keys = await loadKeys(db)
    const records = createRecords(db, clock)
    const faults = new Faults()
    return ({ app, publicUrl }) => {
      const { redirectUris, cloudKitCallback = 'http://wallet.localhost:4200/waas-v1/local/granted' } = options
      mountIdentity(app, { db, clock, publicUrl, records, keys, faults, redirectUris, cloudKitCallback, log })
      return {
        facts: { faults },
        sweep: () => records.sweep(),
        extendAdmin: admin => admin.route('/faults', createFaults(faults)),
      }
    }
  },
})

/**
 * Starts the providers.
 * @throws PortTakenError when the port is in use; StartUpError when `publicUrl` is not of this machine
 * @example
 * const identity = await startIdentity({ port: 4500, dataDir: '.keybay/identity' })
 * await identity.stop()
 */
export async function startIdentity(options: IdentityOptions = {}): Promise<Identity> {
  if (options.publicUrl !== undefined && !isLocalUrl(options.publicUrl))
    throw new StartUpError('identity', [PUBLIC_NAME])
  return start({ ...options, mode: 'sandbox' })
}
