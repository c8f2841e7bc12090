import { jsonLog, Variables } from '@keybay/sandbox-service'
import type { CustodyOptions } from './index.js'

function list(text: string): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** Reads the options from environment variables; see the README. @throws Error that names an invalid variable */
export function optionsFromEnv(env: NodeJS.ProcessEnv): CustodyOptions {
  const variables = new Variables(env, 'custody')
  const optional = (name: string) => env[name] || undefined
  const rpIds = env.CUSTODY_RP_IDS ? list(env.CUSTODY_RP_IDS) : undefined
  const wrong = rpIds?.find(rpId => !/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(rpId))
  if (wrong !== undefined)
    throw variables.error('CUSTODY_RP_IDS', `: a host name stands alone (app.example), not "${wrong}"`)
  const settings = {
    publicUrl: variables.url('CUSTODY_PUBLIC_URL', undefined),
    databaseUrl: variables.database('CUSTODY_DATABASE_URL'),
    kek: optional('CUSTODY_KEK'),
    kekCommand: optional('CUSTODY_KEK_COMMAND') ?? optional('KEK_COMMAND'),
    enclaveKey: optional('CUSTODY_ENCLAVE_KEY'),
    organizationId: optional('CUSTODY_ORGANIZATION_ID'),
    apiPublicKey: optional('CUSTODY_API_PUBLIC_KEY'),
    mailFrom: optional('MAIL_FROM'),
    admin: variables.isOn('CUSTODY_ADMIN'),
  }
  return {
    port: variables.portOrAny('CUSTODY_PORT', 4400),
    host: env.CUSTODY_HOST || '127.0.0.1',
    metrics: variables.metrics(),
    dataDir: variables.dataFolder(),
    origins: variables.origins('CUSTODY_ORIGINS') ?? [
      ...variables.pageOrigins(),
      `http://wallet.localhost:${variables.port('FRAME_PORT', 4200)}`,
    ],
    ...(rpIds && { rpIds }),
    limitFactor: variables.integer('CUSTODY_LIMIT_FACTOR', 1, [1, 1_000_000]),
    trustedProxies: variables.integer('CUSTODY_TRUSTED_PROXIES', 0, [0, 10]),
    smtpUrl: variables.smtpUrl(),
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    log: jsonLog(),
  }
}
