import { defineProvider, type OAuthProvider } from '../provider.js'

/** Kraken Connect. It tells an account’s id, and no address. */
export const kraken: OAuthProvider = defineProvider({
  id: 'kraken',
  docs: 'https://docs.kraken.com/api/docs/oauth/kraken-connect',
  protocol: 'oauth2',
  endpoints: { authorization: 'https://id.kraken.com/oauth/authorize', token: 'https://api.kraken.com/oauth/token' },
  scopes: ['account.info:basic'],
  pkce: false,
  clientAuthentication: 'basic',
  sources: { user: { url: 'https://api.kraken.com/oauth/userinfo' } },
  profile: { id: ['user.sub', 'user.result.iiban'], name: 'user.name' },
})
