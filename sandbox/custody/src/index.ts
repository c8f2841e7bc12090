/** Key custody over the Turnkey wire protocol. Begin reading here: {@link startCustody}; activities/kinds.ts lists what it does. */
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { type Clock, closeServer, type Log, listen, MovableClock, StartUpCheck } from '@keybay/sandbox-service'
import { type AdminErrors, createAdmin } from '@keybay/sandbox-service/admin'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { describeError } from '@keybay/sandbox-service/json'
import { admitKeys, lockKeys } from '@keybay/sandbox-service/keys'
import { resume } from './activities/advance.js'
import { sweepApprovals } from './activities/approvals.js'
import { openDatabase } from './db/open.js'
import { createApp } from './http/app.js'
import { CustodyError, invalidRequest, originDenied } from './http/errors.js'
import { findAllKeys } from './keys/find.js'
import { ensureOperator, type Operator } from './keys/operator.js'
import { createMail } from './mail.js'
import type { Services } from './services.js'

const PATIENCE = 10_000
const AGAIN_EVERY = 60_000

const adminErrors: AdminErrors = {
  notLocal: () => new CustodyError(originDenied),
  invalidRequest: details => new CustodyError(invalidRequest, { ...details }),
}

export interface CustodyOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Where a browser reaches it; default `http://localhost:<port>`. */
  readonly publicUrl?: string
  /** Of the database and the keys; without it, and without a database URL, nothing outlives the process. */
  readonly dataDir?: string
  /** `postgres://…` instead of PGlite. */
  readonly databaseUrl?: string
  /** Key-encryption keys, instead of the file `kek` in `dataDir`. */
  readonly kek?: string
  /** P-256, PKCS #8 in PEM, instead of the file `enclave.pem` in `dataDir`. */
  readonly enclaveKey?: string
  /** Of the operator's organisation, instead of the file `operator.json` in `dataDir`. */
  readonly organizationId?: string
  /** 33 bytes, hex; several are separated by commas. Every other key of the operator stops working. */
  readonly apiPublicKey?: string
  /** Pages that may use it. */
  readonly origins: readonly string[]
  /** Of passkeys; default: the host names of the origins. */
  readonly rpIds?: readonly string[]
  readonly smtpUrl: string
  readonly mailFrom?: string
  readonly clock?: Clock
  /** How long a request waits for its activity before it answers that it is pending, ms; default 10 s. */
  readonly patience?: number
  /** What is wrong with the environment that these options come from: the start lists it with all other problems. */
  readonly problems?: readonly string[]
  /** `/admin/clock`, only from this machine. On by default; never where `publicUrl` is not of this machine. */
  readonly admin?: boolean
  readonly log?: Log
}

/** The key that this installation made, in its file. */
function operatorKeyOf({ publicKey: [publicKey], privateKey }: Operator): Custody['operatorKey'] {
  return publicKey !== undefined && privateKey !== undefined ? { publicKey, privateKey } : undefined
}

export interface Custody {
  /** e.g. `http://localhost:4400` */
  readonly url: string
  /** The same for Node. */
  readonly internalUrl: string
  readonly port: number
  readonly clock: MovableClock
  readonly organizationId: string
  /** What clients check bundles with: 65 bytes, hex. */
  readonly signerPublicKey: string
  /** Of the operator, if this installation made it. */
  readonly operatorKey: { readonly publicKey: string; readonly privateKey: string } | undefined
  /** Lets running requests and activities end, then closes the database. */
  stop(): Promise<void>
}

/**
 * Starts the service. What an earlier process left half-done is brought to its end first.
 *
 * @throws PortTakenError when the port is in use; StartUpError that lists what is wrong; Error that says which option is wrong
 * @example
 * const custody = await startCustody({ port: 4400, dataDir: '.keybay/custody', origins: ['http://app.localhost:4000'], smtpUrl })
 * await custody.stop()
 */
export async function startCustody(options: CustodyOptions): Promise<Custody> {
  const { dataDir, host = '127.0.0.1', origins, log = () => undefined } = options
  const check = new StartUpCheck({ service: 'custody', ...options })
  const hasAdmin = check.hasAdmin(options.admin, 'CUSTODY_ADMIN')
  const clock = new MovableClock(options.clock)
  const mail = createMail({ smtpUrl: options.smtpUrl, from: options.mailFrom ?? 'custody@keybay.local' })
  check.throwWrongSettings()
  const database = await openDatabase({
    url: options.databaseUrl,
    dataDir: dataDir && join(dataDir, 'db'),
  }).catch((error: unknown) => check.fail(error))
  try {
    const find = findAllKeys(options)
    const { kek, enclave, operator } = await lockKeys(database.db, async registry => {
      const found = {
        kek: check.attempt(find.kek),
        enclave: check.attempt(find.enclave),
        operator: check.attempt(find.operator),
      }
      await admitKeys(registry, check, Object.values(found))
      return found
    })
    const operatorKey = check.require(operator).value
    const services: Services = {
      db: database.db,
      clock,
      envelope: createEnvelope(check.require(kek).value),
      enclave: check.require(enclave).value,
      mail,
      operatorId: operatorKey.organizationId,
      origins,
      rpIds: options.rpIds ?? [...new Set(origins.map(origin => new URL(origin).hostname))],
      patience: options.patience ?? PATIENCE,
      log,
    }
    await ensureOperator(database.db, operatorKey, clock.now())
    const failed = (error: unknown) =>
      log({ level: 'error', message: 'activity left open', error: describeError(error) })
    const tidy = async () => {
      await resume(services)
      await sweepApprovals(services)
    }
    await tidy()
    const running = new Set<Promise<unknown>>()
    const later = (work: Promise<unknown>) => {
      const done = work.catch(failed).finally(() => running.delete(done))
      running.add(done)
    }
    const app = createApp({ services, organizationId: operatorKey.organizationId, ready: database.ping, later })
    if (hasAdmin) app.route('/admin', createAdmin(clock, adminErrors))
    const server = createAdaptorServer({ fetch: app.fetch, hostname: host })
    const port = await listen(server, { service: 'custody', variable: 'CUSTODY_PORT', port: options.port ?? 0, host })
    const tidying = setInterval(() => later(tidy()), AGAIN_EVERY)
    return {
      url: (options.publicUrl ?? `http://localhost:${port}`).replace(/\/$/, ''),
      internalUrl: `http://${host}:${port}`,
      port,
      clock,
      organizationId: operatorKey.organizationId,
      signerPublicKey: services.enclave.publicKey,
      operatorKey: operatorKeyOf(operatorKey),
      async stop() {
        clearInterval(tidying)
        await closeServer(server)
        await Promise.all(running)
        mail.close()
        await database.close()
      },
    }
  } catch (error) {
    mail.close()
    await database.close()
    throw error
  }
}
