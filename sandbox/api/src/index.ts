/** Product API v0. Begin reading here: {@link startApi} puts the parts together; http/app.ts lists the routes. */
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import {
  type Clock,
  closeServer,
  isLocalUrl,
  type Log,
  listen,
  MovableClock,
  StartUpCheck,
  sweepAgainAndAgain,
} from '@keybay/sandbox-service'
import { type AdminErrors, createAdmin } from '@keybay/sandbox-service/admin'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { admitKeys, lockKeys } from '@keybay/sandbox-service/keys'
import { Hono } from 'hono'
import { type ApproverKeys, loadApproverKeys } from './custody/approver-keys.js'
import { type CustodyOptions, createCustody } from './custody/client.js'
import { openDatabase } from './db/open.js'
import { createDelivery } from './delivery.js'
import { noRecordKeys, type RecordKeys } from './embedded/relay-keys.js'
import { type Environment, type EnvironmentSettings, readEnvironments } from './environments.js'
import { createApp } from './http/app.js'
import { ApiError, forbidden, invalidRequest } from './http/errors.js'
import { Hashes } from './security/hashes.js'
import { createKeyCache } from './security/jws.js'
import { findKeys } from './security/keys.js'
import { RateLimits } from './security/rate-limits.js'
import type { Services } from './services.js'
import { createSocialRegistry, type SocialOptions, STAND_INS_ARE_ON } from './social/registry.js'
import { createSponsors } from './solana/sponsor.js'
import { sweep } from './sweep.js'

export type { LogLine } from '@keybay/sandbox-service'
export { askLocalRelay, type RecordKeys } from './embedded/relay-keys.js'
export { type EnvironmentSettings, localNetwork } from './environments.js'
export type { SocialClient, SocialOptions } from './social/registry.js'

const adminErrors: AdminErrors = {
  notLocal: () => new ApiError(forbidden),
  invalidRequest: details => new ApiError(invalidRequest, details),
}

export interface ApiOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Where a browser reaches it, with `/api/v0`; default `http://api.app.localhost:<port>/api/v0`. */
  readonly publicUrl?: string
  /** By id. */
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  /** Of PGlite and the keys; without it, and without a database URL, nothing outlives the process. */
  readonly dataDir?: string
  /** `postgres://…` instead of PGlite. */
  readonly databaseUrl?: string
  /** The keys as JSON, instead of the file `keys.json` in `dataDir`. All instances of one database share them. */
  readonly keys?: string
  readonly smtpUrl: string
  readonly smsUrl: string
  readonly mailFrom?: string
  /** Social providers and their credentials; by default none work. */
  readonly social?: SocialOptions
  /** Of key custody; without it no environment has any. */
  readonly custody?: CustodyOptions
  /** R1's record keys for environments that pin none, as `askLocalRelay` finds them; by default there are none. */
  readonly recordKeys?: RecordKeys
  readonly clock?: Clock
  /** Multiplies every rate limit. */
  readonly limitFactor?: number
  /** Proxies before the service that add to X-Forwarded-For; 0 by default: the header is ignored. */
  readonly trustedProxies?: number
  /** What stands in for real settings: where `publicUrl` is not of this machine, the start refuses each with its text. */
  readonly standIns?: readonly string[]
  /** What is wrong with the environment that these options come from: the start lists it with all other problems. */
  readonly problems?: readonly string[]
  /** `/admin/clock`, only from this machine. On by default; never where `publicUrl` is not of this machine. */
  readonly admin?: boolean
  /** Structured lines; by default none. */
  readonly log?: Log
  /** Hears every statement, for tests that count them. */
  readonly onQuery?: (query: string) => void
  /** Hears every keyed hash, for tests that count them. */
  readonly onHash?: () => void
}

export interface Api {
  /** e.g. `http://api.app.localhost:4100/api/v0` */
  readonly url: string
  /** The same for Node, which does not resolve `*.localhost`. */
  readonly internalUrl: string
  readonly port: number
  /** Of the routes that make API tokens. */
  readonly operatorToken: string
  readonly clock: MovableClock
  /** Removes what has run out, which else happens once a minute. */
  sweep(): Promise<void>
  /** Lets running requests end, then closes the database. */
  stop(): Promise<void>
}

/**
 * Starts the product API.
 *
 * @throws PortTakenError when the port is in use; StartUpError that lists what is wrong; Error that says which option is wrong
 * @example
 * const api = await startApi({
 *   port: 4100, dataDir: '.keybay/api', smtpUrl: 'smtp://127.0.0.1:4625', smsUrl: 'http://127.0.0.1:4600/sms',
 *   environments: { local: { allowedOrigins: ['http://app.localhost:4000'] } },
 * })
 * await api.stop()
 */
export async function startApi(options: ApiOptions): Promise<Api> {
  const { dataDir, databaseUrl, host = '127.0.0.1', log = () => undefined } = options
  const check = new StartUpCheck({ service: 'api', ...options })
  if (options.social?.identity) check.refuseStandIns([STAND_INS_ARE_ON])
  const hasAdmin = check.hasAdmin(options.admin, 'API_ADMIN')
  const social = createSocialRegistry(options.social ?? {}, options.social ? log : () => undefined)
  const settings = check.attempt(() => readEnvironments(options.environments, social.known))
  refuseLocalIssuers(check, settings?.values() ?? [])
  const clock = new MovableClock(options.clock)
  check.throwWrongSettings()
  const database = await openDatabase({
    url: databaseUrl,
    dataDir: dataDir && join(dataDir, 'db'),
    onQuery: options.onQuery,
  }).catch((error: unknown) => check.fail(error))
  try {
    const file = dataDir && join(dataDir, 'keys.json')
    const found = await lockKeys(database.db, async registry => {
      const keys = check.attempt(() => findKeys({ json: options.keys, file }))
      const approverKeys = check.attempt(() => findApproverKeys(options, settings))
      await admitKeys(registry, check, [keys])
      return { keys, approverKeys }
    })
    const keys = check.require(found.keys).value
    const approverKeys = check.require(found.approverKeys)
    const environments = check.require(settings)
    const hashes = new Hashes(keys, options.onHash)
    const envelope = createEnvelope([keys.derive('envelope')])
    await createSponsors({ db: database.db, envelope, clock }, environments.values())
    const delivery = createDelivery({
      smtpUrl: options.smtpUrl,
      smsUrl: options.smsUrl,
      from: options.mailFrom ?? 'Keybay sandbox <no-reply@app.localhost>',
      failed: error => log({ level: 'error', message: 'delivery failed', error }),
    })
    // The port is part of what the app knows, so the server comes first.
    let app = new Hono()
    const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env), hostname: host })
    const port = await listen(server, { service: 'api', variable: 'API_PORT', port: options.port ?? 0, host })
    const publicUrl = (options.publicUrl ?? `http://api.app.localhost:${port}/api/v0`).replace(/\/$/, '')
    const services: Services = {
      db: database.db,
      clock,
      keys,
      hashes,
      envelope,
      importKey: createKeyCache(),
      delivery,
      custody: createCustody(options.custody, approverKeys, () => clock.now()),
      social,
      recordKeys: options.recordKeys ?? noRecordKeys,
      environments,
      log,
      publicUrl,
      limits: new RateLimits({ db: database.db, clock, hashes, factor: options.limitFactor ?? 1 }),
      origins: new Set([new URL(publicUrl).origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`]),
      trustedProxies: options.trustedProxies ?? 0,
    }
    app = createApp({ services, ready: database.ping })
    if (hasAdmin) app.route('/admin', createAdmin(clock, adminErrors))
    const sweepNow = () => sweep(services)
    const endSweeping = sweepAgainAndAgain(sweepNow, log)
    return {
      url: publicUrl,
      internalUrl: `http://${host}:${port}/api/v0`,
      port,
      operatorToken: keys.operatorToken,
      clock,
      sweep: sweepNow,
      async stop() {
        endSweeping()
        await closeServer(server)
        delivery.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** @throws Error when no instance but this one would have the key */
function findApproverKeys(
  { custody, dataDir, databaseUrl }: ApiOptions,
  environments?: ReadonlyMap<string, Environment>,
): ApproverKeys {
  const hasSecondFactor = [...(environments?.values() ?? [])].some(({ custody }) => custody.secondFactor)
  return loadApproverKeys({
    json: custody?.approverKeys,
    file: custody && dataDir && join(dataDir, 'approver', 'keys.json'),
    isShared: databaseUrl !== undefined && hasSecondFactor,
  })
}

/** Refuses tokens of an issuer on this machine, where the demo app is, which signs them for any user. */
function refuseLocalIssuers(check: StartUpCheck, environments: Iterable<Environment>): void {
  for (const { id, externalJwt } of environments)
    if (externalJwt && isLocalUrl(externalJwt.issuer))
      check.refuseStandIns([
        `Environment "${id}" accepts tokens of ${externalJwt.issuer}, a name of this machine. Set externalJwt.issuer to the issuer of your own tokens, or remove externalJwt.`,
      ])
}
