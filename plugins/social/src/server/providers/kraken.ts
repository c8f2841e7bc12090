import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Kraken Connect. It tells an account’s IIBAN and an address; whether that is verified it does not say.
 *
 * @see https://docs.kraken.com/api/docs/oauth/kraken-connect what it tells of a user
 */
export const kraken: OAuthProvider = defineProvider({
  id: 'kraken',
  docs: 'https://docs.kraken.com/api/docs/oauth/kraken-connect',
  protocol: 'oauth2',
  endpoints: { authorization: 'https://id.kraken.com/oauth/authorize', token: 'https://api.kraken.com/oauth/token' },
  scopes: ['account.info:basic'],
  pkce: false,
  clientAuthentication: 'basic',
  sources: { user: { url: 'https://api.kraken.com/oauth/userinfo' } },
  profile: { id: 'user.result.iiban', email: 'user.result.email' },
})
