/** Settings that a relay needs in production or refuses there. The README lists all variables. */
import {
  databaseSetting,
  environmentsSetting,
  findPlainHttp,
  keySetting,
  LIMIT_FACTOR,
  PROXY_COUNT,
  publicUrlSetting,
  type Settings,
} from '@keybay/sandbox-service/settings'
import type { RelayOptions } from './index.js'

/** Fields of an environment with addresses that this service calls. */
const CALLED_FIELDS = ['apiUrl', 'rpcUrl']

export function getSettings(party: 1 | 2): Settings<RelayOptions> {
  return {
    [party === 1 ? 'RELAY_PUBLIC_URL' : 'RELAY2_PUBLIC_URL']: publicUrlSetting('https://relay.acme.example/api/v0'),
    RELAY_DATABASE_URL: databaseSetting(party === 1 ? undefined : 'RELAY2_DATABASE_URL'),
    RELAY_KEYS: keySetting('the keys of this party as JSON'),
    RELAY_KEK: keySetting('the key-encryption key, 32 bytes in base64url'),
    RELAY_PEER_URL: {
      risk: 'this relay would look for the other one on this machine',
      value: 'the address of the other relay, or to none for a single relay',
      findProblems: findPlainHttp,
    },
    RELAY_PEER_KEYS: {
      risk: 'this relay would believe whatever relay answers first',
      value: 'what the other relay answers to GET /api/v0/party, by a way that you trust',
      isNeeded: ({ peerUrl }) => peerUrl !== undefined,
    },
    RELAY_ENVIRONMENTS_FILE: environmentsSetting(
      'the relay would trust the sign-ins of the sandbox on this machine',
      CALLED_FIELDS,
    ),
    RELAY_API_TOKEN: {
      risk: 'the relay could not redeem second factors',
      value: 'a token of the product API (POST …/api-tokens with scopes ["mfa"]), or set apiToken in every environment',
      isSecret: true,
      isNeeded: ({ environments }) => Object.values(environments).some(settings => !Object(settings).apiToken),
    },
    RELAY_TRUSTED_PROXIES: PROXY_COUNT,
    RELAY_LIMIT_FACTOR: LIMIT_FACTOR,
  }
}
