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
import type { CustodyOptions } from './index.js'

const MAX_PORT = 65_535

function list(text: string): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** Reads the options from environment variables; see the README. @throws Error that names an invalid variable */
export function optionsFromEnv(env: NodeJS.ProcessEnv): CustodyOptions {
  const number = (name: string, fallback: number, range: readonly [number, number]) =>
    integer(env, 'custody', name, fallback, range)
  const inboxPort = number('INBOX_PORT', 4600, [1, MAX_PORT])
  const smtpPort = number('INBOX_SMTP_PORT', inboxPort + 25, [1, MAX_PORT])
  const framePort = number('FRAME_PORT', 4200, [1, MAX_PORT])
  const url = <T extends string | undefined>(name: string, fallback: T, schemes?: readonly string[]) =>
    address(env, 'custody', name, fallback, schemes)
  const optional = (name: string) => env[name] || undefined
  const rpIds = env.CUSTODY_RP_IDS ? list(env.CUSTODY_RP_IDS) : undefined
  const wrong = rpIds?.find(rpId => !/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(rpId))
  if (wrong !== undefined)
    throw new SettingError('custody', 'CUSTODY_RP_IDS', `: a host name stands alone (app.example), not "${wrong}"`)
  const settings = {
    publicUrl: url('CUSTODY_PUBLIC_URL', undefined),
    databaseUrl: databaseAddress(env, 'custody', 'CUSTODY_DATABASE_URL'),
    kek: optional('CUSTODY_KEK'),
    kekCommand: optional('CUSTODY_KEK_COMMAND') ?? optional('KEK_COMMAND'),
    enclaveKey: optional('CUSTODY_ENCLAVE_KEY'),
    organizationId: optional('CUSTODY_ORGANIZATION_ID'),
    apiPublicKey: optional('CUSTODY_API_PUBLIC_KEY'),
    mailFrom: optional('MAIL_FROM'),
    admin: onOrOff(env, 'custody', 'CUSTODY_ADMIN'),
  }
  return {
    port: number('CUSTODY_PORT', 4400, [0, MAX_PORT]),
    host: env.CUSTODY_HOST || '127.0.0.1',
    metrics: readMetricsPlace(env, 'custody'),
    dataDir: dataFolder(env, 'custody'),
    origins: origins(env, 'custody', 'CUSTODY_ORIGINS') ?? [
      ...pageOrigins(env, 'custody'),
      `http://wallet.localhost:${framePort}`,
    ],
    ...(rpIds && { rpIds }),
    limitFactor: number('CUSTODY_LIMIT_FACTOR', 1, [1, 1_000_000]),
    trustedProxies: number('CUSTODY_TRUSTED_PROXIES', 0, [0, 10]),
    smtpUrl: url('SMTP_URL', `smtp://127.0.0.1:${smtpPort}`, ['smtp:', 'smtps:']),
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    log: jsonLog(),
  }
}
