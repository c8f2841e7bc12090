import { dataFolder, integer, jsonLog } from '@keybay/sandbox-service'
import type { CustodyOptions } from './index.js'

const MAX_PORT = 65_535

const list = (text: string): string[] =>
  text
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '')

/** The options that the environment asks for; the README has the list. @throws Error that names a variable with a wrong value */
export function optionsFromEnv(env: NodeJS.ProcessEnv): CustodyOptions {
  const number = (name: string, fallback: number, range: readonly [number, number]) =>
    integer(env, 'custody', name, fallback, range)
  const inboxPort = number('INBOX_PORT', 4600, [1, MAX_PORT])
  const smtpPort = number('INBOX_SMTP_PORT', inboxPort + 25, [1, MAX_PORT])
  const appPort = number('APP_PORT', 4000, [1, MAX_PORT])
  const framePort = number('FRAME_PORT', 4200, [1, MAX_PORT])
  const pages = ['app.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${appPort}`)
  const optional = (name: string) => env[name] || undefined
  const given = {
    publicUrl: optional('CUSTODY_PUBLIC_URL'),
    databaseUrl: optional('CUSTODY_DATABASE_URL'),
    kek: optional('CUSTODY_KEK'),
    enclaveKey: optional('CUSTODY_ENCLAVE_KEY'),
    organizationId: optional('CUSTODY_ORGANIZATION_ID'),
    apiPublicKey: optional('CUSTODY_API_PUBLIC_KEY'),
    mailFrom: optional('MAIL_FROM'),
  }
  return {
    port: number('CUSTODY_PORT', 4400, [0, MAX_PORT]),
    host: env.CUSTODY_HOST || '127.0.0.1',
    dataDir: dataFolder(env, 'custody'),
    origins: env.CUSTODY_ORIGINS ? list(env.CUSTODY_ORIGINS) : [...pages, `http://wallet.localhost:${framePort}`],
    ...(env.CUSTODY_RP_IDS && { rpIds: list(env.CUSTODY_RP_IDS) }),
    smtpUrl: env.SMTP_URL || `smtp://127.0.0.1:${smtpPort}`,
    admin: env.CUSTODY_ADMIN !== 'off',
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    log: jsonLog(),
  }
}
