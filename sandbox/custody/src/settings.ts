/** Settings that custody needs in production or refuses there. The README lists all variables. */
import {
  databaseSetting,
  findUnsafeOrigins,
  keySetting,
  LIMIT_FACTOR,
  MAIL_FROM,
  PROXY_COUNT,
  publicUrlSetting,
  type Settings,
  SMTP,
} from '@keybay/sandbox-service/settings'
import type { CustodyOptions } from './index.js'

const OPERATOR = keySetting('the operator’s organization and the public half of its API key')

export const SETTINGS: Settings<CustodyOptions> = {
  CUSTODY_PUBLIC_URL: publicUrlSetting('https://custody.acme.example'),
  CUSTODY_DATABASE_URL: databaseSetting(),
  CUSTODY_KEK: {
    ...keySetting('the key-encryption key, 32 bytes in base64url'),
    isNeeded: ({ kekCommand }) => kekCommand === undefined,
  },
  CUSTODY_KEK_COMMAND: {
    risk: 'the key-encryption key is in the environment',
    value: 'a command that wraps in its place',
    alias: 'KEK_COMMAND',
    isNeeded: () => false,
  },
  CUSTODY_ENCLAVE_KEY: keySetting('the enclave key, P-256, PKCS #8 in PEM'),
  CUSTODY_ORGANIZATION_ID: { ...OPERATOR, isSecret: false },
  CUSTODY_API_PUBLIC_KEY: { ...OPERATOR, isSecret: false },
  CUSTODY_ORIGINS: {
    risk: 'pages of this machine could use it',
    value: 'the origins of your pages and of the wallet frame, separated by commas',
    findProblems: findUnsafeOrigins,
  },
  CUSTODY_TRUSTED_PROXIES: PROXY_COUNT,
  CUSTODY_LIMIT_FACTOR: LIMIT_FACTOR,
  SMTP_URL: SMTP,
  MAIL_FROM,
}
