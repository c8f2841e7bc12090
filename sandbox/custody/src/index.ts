/**
 * Key custody over the Turnkey wire protocol. Start with {@link startCustody}; activities/kinds.ts lists activities.
 */
import type { StartUpCheck } from '@keybay/sandbox-service'
import { deleteExpired } from '@keybay/sandbox-service/database'
import {
  defineService,
  type Service,
  type ServiceOptions,
  type ServiceParts,
  type ServicePlace,
} from '@keybay/sandbox-service/define-service'
import { networkReader } from '@keybay/sandbox-service/http'
import { describeError } from '@keybay/sandbox-service/json'
import { admitKeys, lockKeys } from '@keybay/sandbox-service/keys'
import { makeMonths } from '@keybay/sandbox-service/months'
import { lt } from 'drizzle-orm'
import { resume } from './activities/advance.js'
import { sweepApprovals } from './activities/approvals.js'
import { deleteExpiredImportKeys } from './activities/imports.js'
import { mountCustody } from './app/app.js'
import { type Database, MONTHLY, openDatabase as openCustodyDatabase } from './db/open.js'
import { rateLimits } from './db/schema.js'
import { CustodyError, invalidRequest, originDenied } from './http/errors.js'
import { createDeriver } from './keys/deriver.js'
import { findAllKeys } from './keys/find.js'
import { createKekEnvelope, type OpenedCommand, openCommand, proveKek, reportFailures } from './keys/kek.js'
import { ensureOperator } from './keys/operator.js'
import { Limits } from './limits.js'
import { createMail } from './mail.js'
import { eraseDue } from './operator/erasure.js'
import type { Services } from './services.js'

const TIMEOUT_MS = 10_000

export interface CustodyOptions extends ServiceOptions {
  /** Key-encryption keys; default: the file `kek` in `dataDir`. */
  readonly kek?: string
  /** Command that wraps data keys in place of `kek`, which then only opens older secrets: JSON array of strings. */
  readonly kekCommand?: string
  /** Enclave key: P-256, PKCS #8 in PEM; default: the file `enclave.pem` in `dataDir`. */
  readonly enclaveKey?: string
  /** ID of the operator's organization; default: the file `operator.json` in `dataDir`. */
  readonly organizationId?: string
  /** Operator API keys: 33 bytes, hex, comma-separated. All other operator keys stop working. */
  readonly apiPublicKey?: string
  /** Origins of the pages that may use the service. */
  readonly origins: readonly string[]
  /** RP IDs of passkeys; default: the host names of the origins. */
  readonly rpIds?: readonly string[]
  readonly smtpUrl: string
  readonly mailFrom?: string
  /** Time to wait for an activity before the response says that it is pending, in ms; default 10 s. */
  readonly patience?: number
  /** Multiplies every rate limit. */
  readonly limitFactor?: number
  /** Number of proxies before the service that add to X-Forwarded-For. With 0, the default, the header is ignored. */
  readonly trustedProxies?: number
}

interface CustodyFacts {
  readonly organizationId: string
  /** Public key of export and import bundles: 65 bytes, hex. */
  readonly signerPublicKey: string
  /** Operator key, present when this installation created it. */
  readonly operatorKey: { readonly publicKey: string; readonly privateKey: string } | undefined
}

export interface Custody extends Service, CustodyFacts {}

/**
 * Starts the service, after completing the activities that an earlier process left open.
 *
 * @throws PortTakenError when the port is in use; StartUpError that lists all problems; Error that names an invalid option
 * @example
 * const custody = await startCustody({
 *   mode: 'sandbox', port: 4400, dataDir: '.keybay/custody', origins: ['http://app.localhost:4000'], smtpUrl,
 * })
 * await custody.stop()
 */
export const startCustody: (options: CustodyOptions) => Promise<Custody> = defineService<CustodyOptions, CustodyFacts>({
  name: 'custody',
  adminErrors: {
    notLocal: () => new CustodyError(originDenied),
    invalidRequest: details => new CustodyError(invalidRequest, { ...details }),
  },
  create,
})

async function create({
  options,
  check,
  clock,
  log,
  openDatabase,
  addReadiness,
  onStop,
}: ServiceParts<CustodyOptions>) {
  const { origins } = options
  const mail = createMail({ smtpUrl: options.smtpUrl, from: options.mailFrom ?? 'custody@keybay.local' })
  onStop(mail.close)
  const findAll = createKeyFinder(check, options, await openCommand(options, () => clock.now()))
  findAll()
  const { db, query } = await openDatabase(openCustodyDatabase)
  const deriver = createDeriver()
  onStop(deriver.stop)
  const { kek, enclave, operator } = await findKeys(db, check, findAll)
  await proveKek(db, check, kek)
  const { command } = kek
  if (command) addReadiness(() => command.ready())
  const { organizationId } = operator
  const services: Services = {
    db,
    clock,
    envelope: reportFailures(createKekEnvelope(kek), log),
    enclave,
    mail,
    limits: new Limits({ query, clock, factor: options.limitFactor ?? 1, operatorId: organizationId }),
    deriver,
    networkOf: networkReader({ trustedProxies: options.trustedProxies ?? 0, log }),
    operatorId: organizationId,
    origins,
    rpIds: options.rpIds ?? [...new Set(origins.map(origin => new URL(origin).hostname))],
    patience: options.patience ?? TIMEOUT_MS,
    log,
  }
  await ensureOperator(db, operator, clock.now())
  const sweep = async () => {
    await resume(services)
    await sweepApprovals(services)
    await deleteExpired(db, rateLimits, lt(rateLimits.resetsAt, clock.now()))
    await eraseDue(services)
    await deleteExpiredImportKeys(services)
  }
  await sweep()
  const running = new Set<Promise<unknown>>()
  onStop(() => Promise.all(running))
  const keepRunning = (work: Promise<unknown>) => {
    const done = work
      .catch((error: unknown) => log({ level: 'error', message: 'activity left open', error: describeError(error) }))
      .finally(() => running.delete(done))
    running.add(done)
    return done
  }
  return ({ app }: ServicePlace) => {
    mountCustody(app, { services, organizationId, keepRunning })
    const [publicKey, privateKey] = [operator.publicKey[0], operator.privateKey]
    const operatorKey = publicKey !== undefined && privateKey !== undefined ? { publicKey, privateKey } : undefined
    return {
      facts: { organizationId, signerPublicKey: enclave.publicKey, operatorKey },
      sweep: () => keepRunning(sweep().then(() => makeMonths(db, MONTHLY, clock.now()))),
    }
  }
}

/** Returns a function that finds the keys and adds problems to the check: once before the database opens, once in it. */
function createKeyFinder(check: StartUpCheck, options: CustodyOptions, command: OpenedCommand) {
  const find = findAllKeys(options, command)
  return () => ({
    kek: check.attempt(find.kek, ['CUSTODY_KEK', 'CUSTODY_KEK_COMMAND']),
    enclave: check.attempt(find.enclave, ['CUSTODY_ENCLAVE_KEY']),
    operator: check.attempt(find.operator, ['CUSTODY_API_PUBLIC_KEY', 'CUSTODY_ORGANIZATION_ID']),
  })
}

/** Finds the configured keys and refuses keys that the database does not know. @throws StartUpError */
async function findKeys(db: Database, check: StartUpCheck, findAll: ReturnType<typeof createKeyFinder>) {
  const { kek, enclave, operator } = await lockKeys(db, async registry => {
    const keys = findAll()
    await admitKeys(registry, check, Object.values(keys))
    return keys
  })
  return {
    kek: check.require(kek).value,
    enclave: check.require(enclave).value,
    operator: check.require(operator).value,
  }
}
