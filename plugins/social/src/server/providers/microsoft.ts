import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Every tenant is an issuer. A tenant’s administrator sets the emails, so they never count as verified.
 * @see https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference user profile
 */
export const microsoft: OAuthProvider = defineProvider({
  id: 'microsoft',
  docs: 'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  },
  scopes: ['openid', 'profile', 'email', 'User.Read'],
  parameters: { prompt: 'select_account', response_mode: 'query' },
  pkce: true,
  clientAuthentication: 'post',
  idToken: {
    issuer: 'https://login.microsoftonline.com/{tid}/v2.0',
    jwks: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
    nonce: true,
  },
  profile: { id: 'idToken.sub', username: 'idToken.preferred_username', name: 'idToken.name', email: 'idToken.email' },
})
