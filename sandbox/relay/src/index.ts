/** A relay, party R1 or R2. Start with {@link startRelay}, which assembles it; app/routes.ts lists the routes. */
import type { StartUpCheck } from '@keybay/sandbox-service'
import { deleteExpired } from '@keybay/sandbox-service/database'
import {
  defineService,
  type Service,
  type ServiceOptions,
  type ServiceParts,
  type ServicePlace,
} from '@keybay/sandbox-service/define-service'
import { createEnvelope, type Envelope } from '@keybay/sandbox-service/envelope'
import { networkReader, TokenBuckets } from '@keybay/sandbox-service/http'
import { admitKeys, keepFact, lockKeys } from '@keybay/sandbox-service/keys'
import { makeMonths } from '@keybay/sandbox-service/months'
import { enableSecp256k1 } from '@keybay/waas/mpc'
import { lt } from 'drizzle-orm'
import { mountRelay } from './app/app.js'
import { type ApiParts, createApi } from './authority/api.js'
import { createComparison } from './ceremonies/compare.js'
import { sendExportReports } from './ceremonies/export-reports.js'
import { createWalletReports } from './ceremonies/known-wallets.js'
import { withdrawAbandoned } from './ceremonies/pending.js'
import { deliver } from './ceremonies/witness.js'
import { rpcChain } from './chain.js'
import { useSodium } from './crypto/sodium-group.js'
import { type HasReplica, hasSynchronousReplica, refuseVolatileDatabase } from './db/durability.js'
import { type Database, MONTHLY, openDatabase as openRelayDatabase } from './db/open.js'
import { ceremonies, joins, nonces, rateLimits } from './db/schema.js'
import { type EnvironmentSettings, readEnvironments } from './environments.js'
import { RelayError } from './http/errors.js'
import { eraseDue } from './operator/erasure.js'
import { findAllKeys, type PartyKeys } from './party.js'
import { createPeer, type PeerInfo, readPeerKeys } from './peer.js'
import type { RelayParty, Services } from './services.js'
import { createCeremonies } from './store/ceremonies.js'
import { createRateLimits } from './store/rate-limits.js'
import { createSets } from './store/sets.js'
import { createWallets } from './store/wallets.js'

export type { LogLine } from '@keybay/sandbox-service'
export type { EnvironmentSettings } from './environments.js'

export interface RelayOptions extends ServiceOptions {
  /** 1 or 2; default 1. */
  readonly party?: 1 | 2
  /** Settings by environment ID. */
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  /** Keys of the party as JSON; default: the file `keys.json` in `dataDir`. All instances of a party share them. */
  readonly keys?: string
  /** Key-encryption keys; default: the file `kek` in `dataDir`. */
  readonly kek?: string
  /** URL of the other relay, with `/api/v0`. Without it this is a single relay, which nothing protects when it is restored. */
  readonly peerUrl?: string | undefined
  /** Response of the other relay to `GET /party`; without it, this relay requests the response once. */
  readonly peerKeys?: string
  /** Returns the product API's token on demand. */
  readonly apiToken?: ApiParts['apiToken']
  /** Number of proxies in front of this relay that add to X-Forwarded-For. Default 0: the header is ignored. */
  readonly trustedProxies?: number
  /** Multiplies every rate limit. */
  readonly limitFactor?: number
  /** Opens the database; default: the one that the options name. A simulation ends the service and keeps its data. */
  readonly openDatabase?: typeof openRelayDatabase
}

export type Relay = Service

const SINGLE =
  'this relay has no peer (RELAY_PEER_URL): if its database is put back to an earlier copy, devices and delegates that were replaced or revoked since then sign again'
const NO_REPLICA =
  'this relay makes no TWO_OF_TWO wallets, which would be lost with its database: set synchronous_standby_names in PostgreSQL to a standby'
const REPLICA = 'commits of this relay wait for a synchronous standby, so it also makes TWO_OF_TWO wallets'
const ROUNDS = {
  name: 'keybay_relay_round_duration_seconds',
  help: 'Duration of rounds of MPC ceremonies and signatures, by route and result: ok, refused or failed.',
  labels: ['route', 'result'],
} as const
const PEER_REQUESTS = {
  name: 'keybay_relay_peer_request_duration_seconds',
  help: 'Duration of requests to the other relay, by path and result: the HTTP status, or unreachable.',
  labels: ['path', 'result'],
} as const
/** Requests of one network without success, at once and then per second: each costs less than 1 ms of CPU. */
const BURST = 300
const PER_SECOND = 30

/**
 * Starts one party.
 *
 * @throws PortTakenError when the port is in use; StartUpError that lists all problems; Error that names an invalid option
 * @example
 * const relay = await startRelay({
 *   mode: 'sandbox', port: 4300, dataDir: '.keybay/relay', peerUrl: 'http://127.0.0.1:4301/api/v0', environments: { local: settings },
 * })
 * await relay.stop()
 */
export const startRelay: (options: RelayOptions) => Promise<Relay> = defineService({
  name: ({ party = 1 }: RelayOptions) => (party === 1 ? 'relay' : 'relay2'),
  adminVariable: 'RELAY_ADMIN',
  path: '/api/v0',
  adminErrors: {
    notLocal: () => new RelayError('origin_not_allowed'),
    invalidRequest: details => new RelayError('invalid_request', details),
  },
  create,
})

async function create({ options, check, clock, log, metrics, openDatabase }: ServiceParts<RelayOptions>) {
  const { limitFactor = 1 } = options
  const party: RelayParty = (options.party ?? 1) === 1 ? 'R1' : 'R2'
  const environments = check.attempt(() => readEnvironments(options.environments))
  const { peerUrl } = options
  const findAll = createKeyFinder(check, options, party)
  const { keys: ownKeys } = findAll()
  check.attempt(
    () => options.peerKeys === undefined || refuseOwnKeys(readPeerKeys(options.peerKeys), party, ownKeys?.value),
    ['RELAY_PEER_KEYS'],
  )
  useSodium()
  enableSecp256k1()
  const { db, query } = await openDatabase(options.openDatabase ?? openRelayDatabase)
  if (check.isProduction && options.databaseUrl !== undefined) await refuseVolatileDatabase(query, check)
  // R2 has no share of TWO_OF_TWO.
  const needsReplica = check.isProduction && party === 'R1'
  const hasReplica: HasReplica = async () =>
    !needsReplica || (options.databaseUrl !== undefined && (await hasSynchronousReplica(query)))
  if (needsReplica)
    log((await hasReplica()) ? { level: 'info', message: REPLICA } : { level: 'warn', message: NO_REPLICA })
  const { keys, envelope } = await openKeys(db, check, findAll, party)
  const settings = check.require(environments)
  return ({ app, publicUrl }: ServicePlace) => {
    const services: Services = {
      party,
      keys,
      comparison: createComparison(() => services),
      peer: createPeer({
        party,
        url: peerUrl,
        pinned: options.peerKeys,
        keep: text => keepFact(db, 'peer', () => text),
        keys,
        clock,
        measure: metrics.timer(PEER_REQUESTS),
      }),
      db,
      hasReplica,
      sets: createSets(db, query),
      wallets: createWallets(db),
      ceremonies: createCeremonies(db, envelope, clock),
      envelope,
      limits: createRateLimits(query, clock, limitFactor),
      api: createApi({ clock, apiToken: options.apiToken ?? (async ({ apiToken }) => apiToken) }),
      chain: rpcChain,
      clock,
      environments: settings,
      publicUrl,
      limitFactor,
      networkOf: networkReader({ trustedProxies: options.trustedProxies ?? 0, log }),
      admissions: new TokenBuckets({ burst: BURST * limitFactor, perSecond: PER_SECOND * limitFactor, clock }),
      measureRound: metrics.timer(ROUNDS),
      log,
    }
    mountRelay(app, services)
    if (!services.peer.exists) log({ level: 'warn', message: SINGLE })
    const reportWallets = createWalletReports(services)
    const sweepAndReport = async () => {
      await sweep(services)
      await sendExportReports(services)
      await reportWallets()
    }
    return { facts: {}, sweep: sweepAndReport }
  }
}

/** Refuses a peer that is this relay itself, which would witness its own records. @throws Error */
function refuseOwnKeys(peer: PeerInfo, party: RelayParty, own: PartyKeys | undefined): void {
  if (peer.party === party || [...peer.recordKeys.keys()].some(kid => own?.recordKeys.has(kid)))
    throw new Error(
      `relay: RELAY_PEER_KEYS has keys of ${party}, which is this relay. Set it to what the other relay answers to GET /api/v0/party.`,
    )
}

/** Returns a function that finds the keys and adds problems to the check: once before the database opens, once in it. */
function createKeyFinder(check: StartUpCheck, options: RelayOptions, party: RelayParty) {
  const find = findAllKeys(options, party)
  return () => ({ keys: check.attempt(find.keys, ['RELAY_KEYS']), kek: check.attempt(find.kek, ['RELAY_KEK']) })
}

/** Refuses a database of the other party, and keys that the database does not know. @throws StartUpError */
async function openKeys(
  db: Database,
  check: StartUpCheck,
  findAll: ReturnType<typeof createKeyFinder>,
  name: RelayParty,
): Promise<{ readonly keys: PartyKeys; readonly envelope: Envelope }> {
  const { keys, kek } = await lockKeys(db, async (registry, transaction) => {
    if ((await keepFact(transaction, 'party', () => name)) !== name)
      check.add(`this database belongs to the other party, not to ${name}. Give each party a database of its own.`)
    const foundKeys = findAll()
    await admitKeys(registry, check, Object.values(foundKeys))
    return foundKeys
  })
  return { keys: check.require(keys).value, envelope: createEnvelope(check.require(kek).value) }
}

export async function sweep(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await deleteExpired(db, nonces, lt(nonces.expiresAt, now))
  await deleteExpired(db, rateLimits, lt(rateLimits.resetsAt, now))
  await deleteExpired(db, ceremonies, lt(ceremonies.expiresAt, now))
  await deleteExpired(db, joins, lt(joins.expiresAt, now))
  await makeMonths(db, MONTHLY, now)
  await withdrawAbandoned(services)
  await eraseDue(services)
  await services.comparison.check()
  if (services.party === 'R1') await deliver(services)
}
