/** Product API v0. Start reading here: {@link startApi} assembles the parts; app/routes.ts lists the routes. */
import { join } from 'node:path'
import { isLocalUrl, type StartUpCheck } from '@keybay/sandbox-service'
import {
  defineService,
  type Service,
  type ServiceOptions,
  type ServiceParts,
  type ServicePlace,
} from '@keybay/sandbox-service/define-service'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { networkReader, TokenBuckets } from '@keybay/sandbox-service/http'
import { admitKeys, lockKeys } from '@keybay/sandbox-service/keys'
import { mountApi } from './app/app.js'
import { type ApproverKeys, loadApproverKeys } from './custody/approver-keys.js'
import { type CustodyOptions, createCustody } from './custody/client.js'
import { type Database, openDatabase as openApiDatabase } from './db/open.js'
import { createDelivery } from './delivery.js'
import { noRecordKeys, type RecordKeys } from './embedded/relay-keys.js'
import { type Environment, type EnvironmentSettings, readEnvironments } from './environments.js'
import { ApiError, forbidden, invalidRequest } from './http/errors.js'
import { deliverInstructions } from './remote/instructions.js'
import { Hashes } from './security/hashes.js'
import { createKeyCache } from './security/jws.js'
import { findKeys, type Keys } from './security/keys.js'
import { RateLimits } from './security/rate-limits.js'
import { openHashKey } from './security/sealing.js'
import { createNotices } from './security-log/notices.js'
import type { Services } from './services.js'
import { createSocialRegistry, type SocialOptions, STAND_INS_ARE_ON } from './social/registry.js'
import { createSponsors } from './solana/sponsor.js'
import { sweep } from './sweep.js'

export type { LogLine } from '@keybay/sandbox-service'
export { askLocalRelay, type RecordKeys } from './embedded/relay-keys.js'
export { type EnvironmentSettings, localNetwork } from './environments.js'
export type { SocialClient, SocialOptions } from './social/registry.js'

export interface ApiOptions extends ServiceOptions {
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  /** Keys as JSON, instead of the file `keys.json` in `dataDir`. All instances of one database share them. */
  readonly keys?: string
  readonly smtpUrl: string
  readonly smsUrl: string
  readonly mailFrom?: string
  /** Social providers and their credentials; by default no provider works. */
  readonly social?: SocialOptions
  /** URLs of both relays for Node, with `/api/v0`; none by default. */
  readonly relays?: readonly string[]
  /** Custody wallets; if absent, no environment has any. */
  readonly custody?: CustodyOptions
  /** R1's record keys for environments that pin none, as `askLocalRelay` finds them; none by default. */
  readonly recordKeys?: RecordKeys
  /** Multiplies every rate limit. */
  readonly limitFactor?: number
  /** Number of proxies before the service that add to X-Forwarded-For. With 0, the default, the header is ignored. */
  readonly trustedProxies?: number
  /** Called for every keyed hash, so that tests can count them. */
  readonly onHash?: () => void
}

export interface Api extends Service {
  /** Authorizes the routes that create API tokens. */
  readonly operatorToken: string
}

/**
 * Starts the product API.
 *
 * @throws PortTakenError when the port is in use; StartUpError that lists what is wrong; Error that says which option is wrong
 * @example
 * const api = await startApi({
 *   mode: 'sandbox', port: 4100, dataDir: '.keybay/api', smtpUrl: 'smtp://127.0.0.1:4625', smsUrl: 'http://127.0.0.1:4600/sms',
 *   environments: { local: { allowedOrigins: ['http://app.localhost:4000'] } },
 * })
 * await api.stop()
 */
export const startApi: (options: ApiOptions) => Promise<Api> = defineService({
  name: 'api',
  path: '/api/v0',
  localName: () => 'api.app.localhost',
  adminErrors: {
    notLocal: () => new ApiError(forbidden),
    invalidRequest: details => new ApiError(invalidRequest, details),
  },
  create,
})

/** In KiB: what a network may send at once, and then each second. Far above what the pages of one office send. */
const BODY_BURST = 8 * 1024
const BODIES_PER_SECOND = 256

async function create({ options, check, clock, log, openDatabase, onStop }: ServiceParts<ApiOptions>) {
  if (options.social?.identity) check.refuseStandIn(`IDENTITY_URL${STAND_INS_ARE_ON}`, 'IDENTITY_URL')
  const social = createSocialRegistry(options.social ?? {}, options.social ? log : () => undefined)
  const settings = check.attempt(() => readEnvironments(options.environments, social.known), ['API_ENVIRONMENTS_FILE'])
  refuseLocalIssuers(check, settings?.values() ?? [])
  check.attempt(() => findKeys({ json: options.keys }), ['API_KEYS'])
  // Keys in a file are found below: the first start makes them.
  check.attempt(() => options.custody?.approverKeys && findApproverKeys(options, settings), ['CUSTODY_APPROVER_KEYS'])
  const { db, query } = await openDatabase(openApiDatabase)
  const { keys, approverKeys } = await findAllKeys(db, check, options, settings)
  const environments = check.require(settings)
  refuseUnknownEnvironments(keys, environments)
  const envelope = createEnvelope(keys.keks)
  const hashes = new Hashes(await openHashKey(db, envelope), options.onHash)
  await createSponsors({ db, envelope, clock }, environments.values())
  const delivery = createDelivery({
    smtpUrl: options.smtpUrl,
    smsUrl: options.smsUrl,
    from: options.mailFrom ?? 'Keybay sandbox <no-reply@app.localhost>',
    failed: error => log({ level: 'error', message: 'delivery failed', error }),
  })
  const { limitFactor = 1 } = options
  const limits = new RateLimits({ db, query, clock, hashes, factor: limitFactor })
  const notices = createNotices({ db, clock, delivery, log, limits })
  onStop(delivery.close)
  onStop(notices.deliverSoon)
  return ({ app, port, publicUrl }: ServicePlace) => {
    const services: Services = {
      db,
      query,
      clock,
      keys,
      hashes,
      envelope,
      importKey: createKeyCache(),
      delivery,
      notices,
      custody: createCustody(options.custody, approverKeys, () => clock.now()),
      social,
      relays: options.relays ?? [],
      recordKeys: options.recordKeys ?? noRecordKeys,
      environments,
      log,
      publicUrl,
      limits,
      requestId: undefined,
      origins: new Set([new URL(publicUrl).origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`]),
      networkOf: networkReader({ trustedProxies: options.trustedProxies ?? 0, log }),
      bodies: new TokenBuckets({ burst: BODY_BURST * limitFactor, perSecond: BODIES_PER_SECOND * limitFactor, clock }),
    }
    mountApi(app, services)
    return { facts: { operatorToken: keys.operatorToken }, sweep: () => sweepAll(services) }
  }
}

/** Refuses a token of an environment that does not exist: a misspelt one would leave the general token valid. */
function refuseUnknownEnvironments({ operatorTokens }: Keys, environments: ReadonlyMap<string, Environment>): void {
  const unknown = [...operatorTokens.keys()].find(id => !environments.has(id))
  if (unknown === undefined) return
  throw new Error(
    `api cannot start: API_KEYS has an operator token for ${JSON.stringify(unknown)}, which is no environment.`,
  )
}

async function sweepAll(services: Services): Promise<void> {
  await sweep(services)
  await services.notices.deliver()
  await deliverInstructions(services)
}

/** Finds the keys of this start, and refuses keys that the database does not know. @throws StartUpError */
async function findAllKeys(
  db: Database,
  check: StartUpCheck,
  options: ApiOptions,
  settings: ReadonlyMap<string, Environment> | undefined,
) {
  const file = options.dataDir && join(options.dataDir, 'keys.json')
  const all = await lockKeys(db, async registry => {
    const keys = check.attempt(() => findKeys({ json: options.keys, file }), ['API_KEYS'])
    const approverKeys = check.attempt(() => findApproverKeys(options, settings), ['CUSTODY_APPROVER_KEYS'])
    await admitKeys(registry, check, [keys])
    return { keys, approverKeys }
  })
  return { keys: check.require(all.keys).value, approverKeys: check.require(all.approverKeys) }
}

/** @throws Error when other instances would not have the key */
function findApproverKeys(
  { custody, dataDir, databaseUrl }: ApiOptions,
  environments?: ReadonlyMap<string, Environment>,
): ApproverKeys {
  const hasSecondFactor = [...(environments?.values() ?? [])].some(({ custody }) => custody.secondFactor)
  const load = loadApproverKeys({
    json: custody?.approverKeys,
    file: custody && dataDir && join(dataDir, 'approver', 'keys.json'),
    isShared: databaseUrl !== undefined && hasSecondFactor,
  })
  const operator = custody?.operator()
  if (load().some(({ publicKey }) => publicKey === operator?.publicKey))
    throw new Error(
      'api cannot start: CUSTODY_APPROVER_KEYS has the operator’s key of CUSTODY_API_PRIVATE_KEY, so a thief of that key would need no second factor. Make a key of its own: operate keygen api.',
    )
  return load
}

/** Refuses an issuer on this machine, because the demo app there signs tokens for any user. */
function refuseLocalIssuers(check: StartUpCheck, environments: Iterable<Environment>): void {
  for (const { id, externalJwt } of environments)
    if (externalJwt && isLocalUrl(externalJwt.issuer))
      check.refuseStandIn(
        `Environment "${id}" accepts tokens of ${externalJwt.issuer}, a name of this machine. Set externalJwt.issuer to the issuer of your own tokens, or remove externalJwt.`,
        'API_ENVIRONMENTS_FILE',
      )
}
