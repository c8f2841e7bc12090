import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Kraken Connect. It returns an IIBAN and an email, and does not say whether the email is verified.
 * @see https://docs.kraken.com/api/docs/oauth/kraken-connect user profile
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
  profile: { id: ['user.iiban', 'user.result.iiban'], email: ['user.email', 'user.result.email'] },
})
