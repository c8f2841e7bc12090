import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, jsonLog, Variables } from '@keybay/sandbox-service'
import { PROVIDERS } from '@keybay/social/server'
import * as v from 'valibot'
import type { CustodyOperator } from './custody/client.js'
import { readPublicKey } from './custody/keys.js'
import { askLocalRelay, recordKeySchema } from './embedded/relay-keys.js'
import { type ApiOptions, type EnvironmentSettings, localNetwork, type RecordKeys } from './index.js'
import { socialFromEnv } from './social/from-env.js'

/** Reads the environment variables of the README. @throws Error that names a variable with a wrong value */
export function optionsFromEnv(env: NodeJS.ProcessEnv): ApiOptions {
  const variables = new Variables(env, 'api')
  const publicUrl = variables.url('API_PUBLIC_URL', undefined)
  const databaseUrl = variables.database('DATABASE_URL')
  const operator = givenOperator(variables)
  const admin = variables.isOn('API_ADMIN')
  const environments = variables.environments<EnvironmentSettings>('API_ENVIRONMENTS_FILE') ?? {
    local: localEnvironment(variables),
  }
  return {
    port: variables.portOrAny('API_PORT', 4100),
    host: env.API_HOST || '127.0.0.1',
    metrics: variables.metrics(),
    ...(publicUrl && { publicUrl }),
    environments,
    dataDir: variables.dataFolder(),
    ...(databaseUrl && { databaseUrl }),
    ...(env.API_KEYS && { keys: env.API_KEYS }),
    social: socialFromEnv(env),
    smtpUrl: variables.smtpUrl(),
    smsUrl: variables.url('SMS_URL', `http://127.0.0.1:${variables.port('INBOX_PORT', 4600)}/sms`),
    ...(env.MAIL_FROM && { mailFrom: env.MAIL_FROM }),
    custody: {
      baseUrl: variables.url('CUSTODY_URL', `http://127.0.0.1:${variables.port('CUSTODY_PORT', 4400)}`),
      operator: () => (env.CUSTODY_API_PRIVATE_KEY ? operator : madeOperator(env)),
      ...(env.CUSTODY_APPROVER_KEYS && { approverKeys: env.CUSTODY_APPROVER_KEYS }),
    },
    ...((env.API_RECORD_KEYS || Object.values(environments).some(needsRecordKeys)) && {
      recordKeys: recordKeysFromEnv(variables),
    }),
    ...(Object.values(environments).some(({ embeddedWallets }) => embeddedWallets?.enabled) && {
      relays: relaysFromEnv(variables),
    }),
    limitFactor: variables.integer('API_LIMIT_FACTOR', 1, [1, 1_000_000]),
    trustedProxies: variables.integer('API_TRUSTED_PROXIES', 0, [0, 10]),
    ...(admin !== undefined && { admin }),
    log: jsonLog(),
  }
}

const recordKeysSchema = v.pipe(v.string(), v.parseJson(), v.array(recordKeySchema), v.minLength(1))

/** Returns R1's record keys: configured, or the local relay's. @throws Error that names the variable */
function recordKeysFromEnv(variables: Variables): RecordKeys {
  const { API_RECORD_KEYS } = variables.env
  if (!API_RECORD_KEYS) {
    const localUrl = `http://127.0.0.1:${variables.port('RELAY_PORT', 4300)}/api/v0`
    return askLocalRelay(variables.url('RELAY_INTERNAL_URL', localUrl))
  }
  const parsed = v.safeParse(recordKeysSchema, API_RECORD_KEYS)
  if (!parsed.success)
    throw variables.error(
      'API_RECORD_KEYS',
      ' is not a list of public P-256 keys. Set it to the recordKeys of GET /api/v0/party of R1.',
    )
  return async () => parsed.output
}

/** Returns the URLs of both relays: configured, or those on this machine. @throws Error that names the variable */
function relaysFromEnv(variables: Variables): readonly string[] {
  const urls = variables.urls('API_RELAY_URLS')
  if (urls.length > 0) return urls
  const ports = [variables.port('RELAY_PORT', 4300), variables.port('RELAY2_PORT', 4301)]
  return ports.map(port => `http://127.0.0.1:${port}/api/v0`)
}

function needsRecordKeys({ embeddedWallets }: EnvironmentSettings): boolean {
  return embeddedWallets?.enabled === true && embeddedWallets.recordKeys === undefined
}

const operatorSchema = v.object({ organizationId: v.string(), publicKey: v.string(), privateKey: v.string() })

/** Returns the operator's key at custody if the environment sets all of it. @throws Error when the halves differ */
function givenOperator(variables: Variables): CustodyOperator | undefined {
  const { CUSTODY_ORGANIZATION_ID, CUSTODY_API_PUBLIC_KEY, CUSTODY_API_PRIVATE_KEY } = variables.env
  // The sandbox's custody also reads the first two, so only the private key shows that they are meant for this service.
  if (!CUSTODY_API_PRIVATE_KEY || !CUSTODY_ORGANIZATION_ID || !CUSTODY_API_PUBLIC_KEY) return undefined
  const privateKey = CUSTODY_API_PRIVATE_KEY.toLowerCase()
  const publicKey = /^[\da-f]{64}$/.test(privateKey) ? readPublicKey(privateKey) : undefined
  // Custody accepts several keys during a rotation.
  const publicKeys = CUSTODY_API_PUBLIC_KEY.split(',').map(part => part.trim().toLowerCase())
  if (publicKey === undefined || !publicKeys.includes(publicKey))
    throw variables.error(
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
function localEnvironment(variables: Variables): EnvironmentSettings {
  const appPort = variables.port('APP_PORT', 4000)
  const frameOrigins = variables.origins('FRAME_ORIGIN') ?? [
    `http://wallet.localhost:${variables.port('FRAME_PORT', 4200)}`,
  ]
  return {
    allowedOrigins: [...variables.pageOrigins()],
    frameOrigins: [...frameOrigins],
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
    networks: [localNetwork(variables.url('CHAIN_URL', `http://localhost:${variables.port('CHAIN_PORT', 8899)}`))],
  }
}
