import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, integer, jsonLog } from '@keybay/sandbox-service'
import { PROVIDERS } from '@keybay/social/server'
import * as v from 'valibot'
import type { CustodyOperator } from './custody/client.js'
import { type ApiOptions, type EnvironmentSettings, localNetwork } from './index.js'
import { socialFromEnv } from './social/from-env.js'

const MAX_PORT = 65_535

/** The options that the environment asks for; the README has the list. @throws Error that names a variable with a wrong value */
export function optionsFromEnv(env: NodeJS.ProcessEnv): ApiOptions {
  const number = (name: string, fallback: number, range: readonly [number, number]) =>
    integer(env, 'api', name, fallback, range)
  const port = number('API_PORT', 4100, [0, MAX_PORT])
  const inboxPort = number('INBOX_PORT', 4600, [1, MAX_PORT])
  const smtpPort = number('INBOX_SMTP_PORT', inboxPort + 25, [1, MAX_PORT])
  return {
    port,
    host: env.API_HOST || '127.0.0.1',
    ...(env.API_PUBLIC_URL && { publicUrl: env.API_PUBLIC_URL }),
    environments: readEnvironmentFile(env) ?? { local: localEnvironment(env, number('APP_PORT', 4000, [1, MAX_PORT])) },
    dataDir: dataFolder(env, 'api'),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    ...(env.API_KEYS && { keys: env.API_KEYS }),
    social: socialFromEnv(env, number('IDENTITY_PORT', 4500, [1, MAX_PORT])),
    smtpUrl: env.SMTP_URL || `smtp://127.0.0.1:${smtpPort}`,
    smsUrl: env.SMS_URL || `http://127.0.0.1:${inboxPort}/sms`,
    ...(env.MAIL_FROM && { mailFrom: env.MAIL_FROM }),
    custody: {
      baseUrl: env.CUSTODY_URL || `http://127.0.0.1:${number('CUSTODY_PORT', 4400, [1, MAX_PORT])}`,
      operator: () => custodyOperator(env),
    },
    limitFactor: number('API_LIMIT_FACTOR', 1, [1, 1_000_000]),
    trustedProxies: number('API_TRUSTED_PROXIES', 0, [0, 10]),
    admin: env.API_ADMIN !== 'off',
    log: jsonLog(),
  }
}

const operatorSchema = v.object({ organizationId: v.string(), publicKey: v.string(), privateKey: v.string() })

/** The operator's key at custody: what the environment gives; else what the sandbox's custody made at its first start. */
const custodyOperator = (env: NodeJS.ProcessEnv): CustodyOperator | undefined => {
  const given = v.safeParse(operatorSchema, {
    organizationId: env.CUSTODY_ORGANIZATION_ID,
    publicKey: env.CUSTODY_API_PUBLIC_KEY,
    privateKey: env.CUSTODY_API_PRIVATE_KEY,
  })
  if (given.success) return given.output
  try {
    const made: unknown = JSON.parse(readFileSync(join(dataFolder(env, 'custody'), 'operator.json'), 'utf8'))
    return v.is(operatorSchema, made) ? made : undefined
  } catch {
    return undefined
  }
}

/** What the kit calls `local`: the app of this machine, everything on. */
const localEnvironment = (env: NodeJS.ProcessEnv, appPort: number): EnvironmentSettings => ({
  allowedOrigins: ['app.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${appPort}`),
  frameOrigins: [env.FRAME_ORIGIN || `http://wallet.localhost:${env.FRAME_PORT || 4200}`],
  custody: { enabled: true },
  // The app issues tokens of its own, as a host with accounts does.
  signIn: { external: true, social: PROVIDERS.map(({ id }) => id) },
  externalJwt: {
    issuer: `http://app.localhost:${appPort}`,
    audience: 'local',
    jwksUrl: `http://127.0.0.1:${appPort}/.well-known/jwks.json`,
  },
  networks: [localNetwork(env.CHAIN_URL || `http://localhost:${env.CHAIN_PORT || 8899}`)],
})

const readEnvironmentFile = (env: NodeJS.ProcessEnv): ApiOptions['environments'] | undefined => {
  const file = env.API_ENVIRONMENTS_FILE
  if (!file) return undefined
  try {
    // `startApi` checks every field.
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`api cannot start: API_ENVIRONMENTS_FILE: ${why}`)
  }
}
