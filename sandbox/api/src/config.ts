import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  address,
  databaseAddress,
  dataFolder,
  integer,
  jsonLog,
  onOrOff,
  origins,
  pageOrigins,
  readMetricsPlace,
  SettingError,
} from '@keybay/sandbox-service'
import { PROVIDERS } from '@keybay/social/server'
import * as v from 'valibot'
import type { CustodyOperator } from './custody/client.js'
import { readPublicKey } from './custody/keys.js'
import { askLocalRelay, recordKeySchema } from './embedded/relay-keys.js'
import { type ApiOptions, type EnvironmentSettings, localNetwork, type RecordKeys } from './index.js'
import { socialFromEnv } from './social/from-env.js'

const MAX_PORT = 65_535

/** Reads the environment variables of the README. @throws Error that names a variable with a wrong value */
export function optionsFromEnv(env: NodeJS.ProcessEnv): ApiOptions {
  const number = (name: string, fallback: number, range: readonly [number, number]) =>
    integer(env, 'api', name, fallback, range)
  const port = number('API_PORT', 4100, [0, MAX_PORT])
  const inboxPort = number('INBOX_PORT', 4600, [1, MAX_PORT])
  const smtpPort = number('INBOX_SMTP_PORT', inboxPort + 25, [1, MAX_PORT])
  const url = <T extends string | undefined>(name: string, fallback: T, schemes?: readonly string[]) =>
    address(env, 'api', name, fallback, schemes)
  const publicUrl = url('API_PUBLIC_URL', undefined)
  const databaseUrl = databaseAddress(env, 'api', 'DATABASE_URL')
  const operator = givenOperator(env)
  const admin = onOrOff(env, 'api', 'API_ADMIN')
  const environments = readEnvironmentFile(env) ?? { local: localEnvironment(env, number) }
  return {
    port,
    host: env.API_HOST || '127.0.0.1',
    metrics: readMetricsPlace(env, 'api'),
    ...(publicUrl && { publicUrl }),
    environments,
    dataDir: dataFolder(env, 'api'),
    ...(databaseUrl && { databaseUrl }),
    ...(env.API_KEYS && { keys: env.API_KEYS }),
    social: socialFromEnv(env),
    smtpUrl: url('SMTP_URL', `smtp://127.0.0.1:${smtpPort}`, ['smtp:', 'smtps:']),
    smsUrl: url('SMS_URL', `http://127.0.0.1:${inboxPort}/sms`),
    ...(env.MAIL_FROM && { mailFrom: env.MAIL_FROM }),
    custody: {
      baseUrl: url('CUSTODY_URL', `http://127.0.0.1:${number('CUSTODY_PORT', 4400, [1, MAX_PORT])}`),
      operator: () => (env.CUSTODY_API_PRIVATE_KEY ? operator : madeOperator(env)),
      ...(env.CUSTODY_APPROVER_KEYS && { approverKeys: env.CUSTODY_APPROVER_KEYS }),
    },
    ...((env.API_RECORD_KEYS || Object.values(environments).some(needsRecordKeys)) && {
      recordKeys: recordKeysFromEnv(env, port => number('RELAY_PORT', port, [1, MAX_PORT])),
    }),
    ...(Object.values(environments).some(({ embeddedWallets }) => embeddedWallets?.enabled) && {
      relays: relaysFromEnv(env, number),
    }),
    limitFactor: number('API_LIMIT_FACTOR', 1, [1, 1_000_000]),
    trustedProxies: number('API_TRUSTED_PROXIES', 0, [0, 10]),
    ...(admin !== undefined && { admin }),
    log: jsonLog(),
  }
}

const recordKeysSchema = v.pipe(v.string(), v.parseJson(), v.array(recordKeySchema), v.minLength(1))

/** Returns R1's record keys: configured, or the local relay's. @throws Error that names the variable */
function recordKeysFromEnv(env: NodeJS.ProcessEnv, relayPort: (fallback: number) => number): RecordKeys {
  const { API_RECORD_KEYS } = env
  if (!API_RECORD_KEYS)
    return askLocalRelay(address(env, 'api', 'RELAY_INTERNAL_URL', `http://127.0.0.1:${relayPort(4300)}/api/v0`))
  const parsed = v.safeParse(recordKeysSchema, API_RECORD_KEYS)
  if (!parsed.success)
    throw new SettingError(
      'api',
      'API_RECORD_KEYS',
      ' is not a list of public P-256 keys. Set it to the recordKeys of GET /api/v0/party of R1.',
    )
  return async () => parsed.output
}

/** Returns the URLs of both relays: configured, or those on this machine. @throws Error that names the variable */
function relaysFromEnv(env: NodeJS.ProcessEnv, number: ReadNumber): readonly string[] {
  const given = (env.API_RELAY_URLS ?? '').split(',').flatMap(part => part.trim() || [])
  for (const url of given) address({ API_RELAY_URLS: url }, 'api', 'API_RELAY_URLS', undefined)
  if (given.length > 0) return given.map(url => url.replace(/\/$/, ''))
  const local = [number('RELAY_PORT', 4300, [1, MAX_PORT]), number('RELAY2_PORT', 4301, [1, MAX_PORT])]
  return local.map(port => `http://127.0.0.1:${port}/api/v0`)
}

function needsRecordKeys({ embeddedWallets }: EnvironmentSettings): boolean {
  return embeddedWallets?.enabled === true && embeddedWallets.recordKeys === undefined
}

type ReadNumber = (name: string, fallback: number, range: readonly [number, number]) => number

const operatorSchema = v.object({ organizationId: v.string(), publicKey: v.string(), privateKey: v.string() })

/** Returns the operator's key at custody if the environment sets all of it. @throws Error when the halves differ */
function givenOperator(env: NodeJS.ProcessEnv): CustodyOperator | undefined {
  const { CUSTODY_ORGANIZATION_ID, CUSTODY_API_PUBLIC_KEY, CUSTODY_API_PRIVATE_KEY } = env
  // The sandbox's custody also reads the first two, so only the private key shows that they are meant for this service.
  if (!CUSTODY_API_PRIVATE_KEY || !CUSTODY_ORGANIZATION_ID || !CUSTODY_API_PUBLIC_KEY) return undefined
  const privateKey = CUSTODY_API_PRIVATE_KEY.toLowerCase()
  const publicKey = /^[\da-f]{64}$/.test(privateKey) ? readPublicKey(privateKey) : undefined
  // Custody accepts several keys during a rotation.
  const publicKeys = CUSTODY_API_PUBLIC_KEY.split(',').map(part => part.trim().toLowerCase())
  if (publicKey === undefined || !publicKeys.includes(publicKey))
    throw new SettingError(
      'api',
      'CUSTODY_API_PRIVATE_KEY',
      ' (32 bytes, hex) needs its own CUSTODY_API_PUBLIC_KEY (33 bytes, hex)',
    )
  return { organizationId: CUSTODY_ORGANIZATION_ID, publicKey, privateKey }
}

/** Returns the key that the sandbox's custody made at its first start, used if none is configured. */
function madeOperator(env: NodeJS.ProcessEnv): CustodyOperator | undefined {
  try {
    const made: unknown = JSON.parse(readFileSync(join(dataFolder(env, 'custody'), 'operator.json'), 'utf8'))
    return v.is(operatorSchema, made) ? made : undefined
  } catch {
    return undefined
  }
}

/** Settings of the environment that the kit calls `local`: the app on this machine, everything on. */
function localEnvironment(env: NodeJS.ProcessEnv, number: ReadNumber): EnvironmentSettings {
  const port = (name: string, fallback: number) => number(name, fallback, [1, MAX_PORT])
  const appPort = port('APP_PORT', 4000)
  return {
    allowedOrigins: [...pageOrigins(env, 'api')],
    frameOrigins: [...(origins(env, 'api', 'FRAME_ORIGIN') ?? [`http://wallet.localhost:${port('FRAME_PORT', 4200)}`])],
    custody: { enabled: true },
    embeddedWallets: { enabled: true },
    merge: true,
    // The app issues its own tokens, as a host with accounts does; its lab has a hardware wallet.
    signIn: { external: true, walletTransaction: true, social: PROVIDERS.map(({ id }) => id) },
    externalJwt: {
      issuer: `http://app.localhost:${appPort}`,
      audience: 'local',
      jwksUrl: `http://127.0.0.1:${appPort}/.well-known/jwks.json`,
    },
    transactions: { sponsorship: {} },
    networks: [localNetwork(address(env, 'api', 'CHAIN_URL', `http://localhost:${port('CHAIN_PORT', 8899)}`))],
  }
}

function readEnvironmentFile(env: NodeJS.ProcessEnv): ApiOptions['environments'] | undefined {
  const file = env.API_ENVIRONMENTS_FILE
  if (!file) return undefined
  try {
    const settings = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(settings) || Object.keys(Object(settings)).length === 0)
      throw new Error('it has no environment; it is { "<id>": { … } }')
    // `startApi` checks every field.
    return settings
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SettingError('api', 'API_ENVIRONMENTS_FILE', `: ${why}`)
  }
}
