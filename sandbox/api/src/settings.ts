/** Settings that the API needs in production or refuses there. The README lists all variables. */
import {
  databaseSetting,
  environmentsSetting,
  findPlainHttp,
  keySetting,
  LIMIT_FACTOR,
  MAIL_FROM,
  PROXY_COUNT,
  publicUrlSetting,
  type Setting,
  type Settings,
  SMTP,
} from '@keybay/sandbox-service/settings'
import { PROVIDERS } from '@keybay/social/server'
import type { ApiOptions, EnvironmentSettings } from './index.js'
import { isPublishedSecret } from './social/published-secrets.js'
import { getVariables, STAND_INS_ARE_ON } from './social/registry.js'

type ApiSetting = Setting<ApiOptions>

/** Fields of an environment with addresses that this service calls. */
const CALLED_FIELDS = ['jwksUrl', 'rpcUrls']

function hasEnvironment(isMatch: (settings: EnvironmentSettings) => boolean): ApiSetting['isNeeded'] {
  // The file was not checked yet: an entry may be anything.
  return ({ environments }) => Object.values(environments).some(settings => isMatch(Object(settings)))
}

const hasCustody = hasEnvironment(({ custody }) => custody?.enabled === true)

const OPERATOR: ApiSetting = {
  risk: 'the API would use the operator’s key that custody makes on a laptop',
  value:
    'your organization and its API key at custody: CUSTODY_ORGANIZATION_ID, CUSTODY_API_PUBLIC_KEY and CUSTODY_API_PRIVATE_KEY',
  isNeeded: hasCustody,
}

const CLIENT_SECRET: ApiSetting = {
  risk: 'the provider is off',
  value: 'the secret that the provider gave you',
  isSecret: true,
  isNeeded: () => false,
  findProblems: secret =>
    isPublishedSecret(secret)
      ? [
          ' is the sandbox’s, which is public: anyone can sign in as any user. Set it to the one that the provider gave you.',
        ]
      : [],
}

export const SETTINGS: Settings<ApiOptions> = {
  API_PUBLIC_URL: publicUrlSetting('https://api.acme.example/api/v0'),
  DATABASE_URL: databaseSetting(),
  API_KEYS: keySetting('the keys of the API as JSON'),
  API_ENVIRONMENTS_FILE: environmentsSetting(
    'the API would accept tokens that the demo app on this machine makes for any user',
    CALLED_FIELDS,
  ),
  SMTP_URL: SMTP,
  MAIL_FROM,
  SMS_URL: {
    risk: 'codes by SMS would go to the inbox of this machine, which shows them to anyone here',
    value: 'the address that takes POST { to, text }; or set signIn.phone to false in every environment',
    isSecret: true,
    isNeeded: hasEnvironment(
      ({ kind, signIn, sms }) => signIn?.phone ?? (kind !== 'live' || sms?.countries !== undefined),
    ),
    findProblems: findPlainHttp,
  },
  API_TRUSTED_PROXIES: PROXY_COUNT,
  API_LIMIT_FACTOR: LIMIT_FACTOR,
  API_RELAY_URLS: {
    risk: 'blocks and erasures of users would go to this machine and reach no relay',
    value: 'the addresses of the relays, with /api/v0, separated by commas',
    isNeeded: hasEnvironment(({ embeddedWallets }) => embeddedWallets?.enabled === true),
    findProblems: urls => [...new Set(urls.split(',').flatMap(url => findPlainHttp(url.trim())))],
  },
  API_RECORD_KEYS: {
    risk: 'the API would believe whatever program answers at the port of R1 on this machine',
    value: 'the recordKeys of GET /api/v0/party of R1',
    isNeeded: hasEnvironment(({ embeddedWallets }) => embeddedWallets?.enabled === true && !embeddedWallets.recordKeys),
  },
  CUSTODY_URL: {
    risk: 'the API would use whatever program answers at the port of custody on this machine',
    value: 'the address of custody',
    isNeeded: hasCustody,
    findProblems: findPlainHttp,
  },
  CUSTODY_ORGANIZATION_ID: OPERATOR,
  CUSTODY_API_PUBLIC_KEY: OPERATOR,
  CUSTODY_API_PRIVATE_KEY: { ...OPERATOR, isSecret: true },
  CUSTODY_APPROVER_KEYS: {
    ...keySetting('the approver’s keys as JSON'),
    isNeeded: hasEnvironment(({ custody }) => custody?.enabled === true && custody.secondFactor === true),
  },
  IDENTITY_URL: {
    risk: 'no provider is a stand-in',
    value: 'off',
    isNeeded: () => false,
    findProblems: url => (url === 'off' ? [] : [STAND_INS_ARE_ON]),
  },
  ...Object.fromEntries(PROVIDERS.map(({ id }) => [getVariables(id).secret, CLIENT_SECRET])),
}
