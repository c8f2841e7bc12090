/** A relay: party R1 or R2. Begin reading here: {@link startRelay} puts the parts together; http/app.ts lists the routes. */
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import {
  type Clock,
  closeServer,
  type Log,
  listen,
  MovableClock,
  StartUpCheck,
  sweepAgainAndAgain,
} from '@keybay/sandbox-service'
import { type AdminErrors, createAdmin } from '@keybay/sandbox-service/admin'
import { admitKeys, keepFact, lockKeys } from '@keybay/sandbox-service/keys'
import { enableSecp256k1 } from '@keybay/waas/mpc'
import { Hono } from 'hono'
import { type ApiParts, createApi } from './authority/api.js'
import { createWalletReports } from './ceremonies/known-wallets.js'
import { rpcChain } from './chain.js'
import { type Database, openDatabase } from './db/open.js'
import { type EnvironmentSettings, readEnvironments } from './environments.js'
import { createApp } from './http/app.js'
import { invalidRequest, originNotAllowed, RelayError } from './http/errors.js'
import { findAllKeys, type PartyKeys } from './party.js'
import { createPeer } from './peer.js'
import type { RelayParty, Services } from './services.js'
import { createCeremonies } from './store/ceremonies.js'
import { createEnvelope, type Envelope } from './store/envelope.js'
import { createRateLimits } from './store/rate-limits.js'
import { createSets } from './store/sets.js'
import { createWallets } from './store/wallets.js'
import { sweep } from './sweep.js'

export type { LogLine } from '@keybay/sandbox-service'
export type { EnvironmentSettings } from './environments.js'

const adminErrors: AdminErrors = {
  notLocal: () => new RelayError(originNotAllowed),
  invalidRequest: details => new RelayError(invalidRequest, details),
}

export interface RelayOptions {
  /** 1 or 2; default 1. */
  readonly party?: 1 | 2
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Where a browser reaches it, with `/api/v0`; default `http://localhost:<port>/api/v0`. */
  readonly publicUrl?: string
  /** By id. */
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  /** Of PGlite and the keys; without it, and without a database URL, nothing outlives the process. */
  readonly dataDir?: string
  /** `postgres://…` instead of PGlite. */
  readonly databaseUrl?: string
  /** The party's keys as JSON, instead of the file `keys.json` in `dataDir`. All instances of a party share them. */
  readonly keys?: string
  /** Key-encryption keys, instead of the file `kek` in `dataDir`. */
  readonly kek?: string
  /** The other relay, with `/api/v0`. */
  readonly peerUrl: string
  /** What the other relay answers to `GET /party`; else it is asked once. */
  readonly peerKeys?: string
  /** What stands in for real settings: where `publicUrl` is not of this machine, the start refuses each with its text. */
  readonly standIns?: readonly string[]
  /** What is wrong with the environment that these options come from: the start lists it with all other problems. */
  readonly problems?: readonly string[]
  /** Of the product API; asked for when it is needed. */
  readonly apiToken?: ApiParts['apiToken']
  readonly clock?: Clock
  /** Multiplies every rate limit. */
  readonly limitFactor?: number
  /** `/admin/clock`, only from this machine. On by default; never where `publicUrl` is not of this machine. */
  readonly admin?: boolean
  /** Structured lines; by default none. */
  readonly log?: Log
  /** Hears every statement, for tests that count them. */
  readonly onQuery?: (query: string) => void
}

export interface Relay {
  /** e.g. `http://localhost:4300/api/v0` */
  readonly url: string
  /** The same for Node. */
  readonly internalUrl: string
  readonly port: number
  readonly clock: MovableClock
  /** Removes what has run out, which else happens once a minute. */
  sweep(): Promise<void>
  /** Lets running requests end, then closes the database. */
  stop(): Promise<void>
}

/**
 * Starts one party.
 *
 * @throws PortTakenError when the port is in use; StartUpError that lists what is wrong; Error that says which option is wrong
 * @example
 * const relay = await startRelay({
 *   port: 4300, dataDir: '.keybay/relay', peerUrl: 'http://127.0.0.1:4301/api/v0', environments: { local: settings },
 * })
 * await relay.stop()
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { party = 1, dataDir, host = '127.0.0.1', log = () => undefined, limitFactor = 1 } = options
  const name: RelayParty = party === 1 ? 'R1' : 'R2'
  const service = party === 1 ? 'relay' : 'relay2'
  const check = new StartUpCheck({ service, ...options })
  const hasAdmin = check.hasAdmin(options.admin, 'RELAY_ADMIN')
  const environments = check.attempt(() => readEnvironments(options.environments))
  const clock = new MovableClock(options.clock)
  enableSecp256k1()
  check.throwWrongSettings()
  const database = await openDatabase({
    url: options.databaseUrl,
    dataDir: dataDir && join(dataDir, 'db'),
    onQuery: options.onQuery,
  }).catch((error: unknown) => check.fail(error))
  try {
    const { db } = database
    const { keys, envelope } = await openKeys(db, check, { options, name })
    // The port is part of what the app knows, so the server comes first.
    let app = new Hono()
    const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env), hostname: host })
    const variable = party === 1 ? 'RELAY_PORT' : 'RELAY2_PORT'
    const port = await listen(server, { service, variable, port: options.port ?? 0, host })
    const services: Services = {
      party: name,
      keys,
      peer: createPeer({
        url: options.peerUrl,
        pinned: options.peerKeys,
        keep: text => keepFact(db, 'peer', () => text),
        keys,
        clock,
      }),
      db,
      sets: createSets(db, database.query),
      wallets: createWallets(db),
      ceremonies: createCeremonies(db, envelope, clock),
      envelope,
      limits: createRateLimits(db, clock, limitFactor),
      api: createApi({ clock, apiToken: options.apiToken ?? (async ({ apiToken }) => apiToken) }),
      chain: rpcChain,
      clock,
      environments: check.require(environments),
      publicUrl: (options.publicUrl ?? `http://localhost:${port}/api/v0`).replace(/\/$/, ''),
      limitFactor,
      log,
    }
    app = createApp({ services, ready: database.ping })
    if (hasAdmin) app.route('/admin', createAdmin(clock, adminErrors))
    const reportWallets = createWalletReports(services)
    const sweepNow = async () => {
      await sweep(services)
      await reportWallets()
    }
    const endSweeping = sweepAgainAndAgain(sweepNow, log)
    return {
      url: services.publicUrl,
      internalUrl: `http://${host}:${port}/api/v0`,
      port,
      clock,
      sweep: sweepNow,
      async stop() {
        endSweeping()
        await closeServer(server)
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

interface PartyStart {
  readonly options: RelayOptions
  readonly name: RelayParty
}

/** Refuses a database of the other party, and keys that it does not know. @throws StartUpError */
async function openKeys(
  db: Database,
  check: StartUpCheck,
  { options, name }: PartyStart,
): Promise<{ readonly keys: PartyKeys; readonly envelope: Envelope }> {
  const find = findAllKeys(options, name)
  const { keys, kek } = await lockKeys(db, async (registry, transaction) => {
    if ((await keepFact(transaction, 'party', () => name)) !== name)
      check.add(`this database belongs to the other party, not to ${name}. Give each party a database of its own.`)
    const found = { keys: check.attempt(find.keys), kek: check.attempt(find.kek) }
    await admitKeys(registry, check, Object.values(found))
    return found
  })
  return { keys: check.require(keys).value, envelope: createEnvelope(check.require(kek).value) }
}
