import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Scopes are separated by commas, and the user is in `data`. It does not say whether the email is verified.
 * @see https://docs.cdp.coinbase.com/coinbase-app/track-apis/users user profile
 */
export const coinbasesocial: OAuthProvider = defineProvider({
  id: 'coinbasesocial',
  docs: 'https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://login.coinbase.com/oauth2/auth',
    token: 'https://login.coinbase.com/oauth2/token',
  },
  scopes: ['wallet:user:read', 'wallet:user:email'],
  scopeSeparator: ',',
  pkce: true,
  clientAuthentication: 'post',
  sources: { user: { url: 'https://api.coinbase.com/v2/user', headers: { 'CB-VERSION': '2024-01-01' } } },
  profile: {
    id: 'user.data.id',
    username: 'user.data.username',
    name: 'user.data.name',
    email: 'user.data.email',
    picture: 'user.data.avatar_url',
  },
})
