import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * ID tokens are signed with the client’s secret. It does not say whether the email is verified.
 * @see https://developers.line.biz/en/docs/line-login/verify-id-token/#payload user profile
 */
export const line: OAuthProvider = defineProvider({
  id: 'line',
  docs: 'https://developers.line.biz/en/docs/line-login/integrate-line-login/',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
  },
  scopes: ['openid', 'profile', 'email'],
  pkce: true,
  clientAuthentication: 'post',
  idToken: { issuer: 'https://access.line.me', nonce: true },
  profile: { id: 'idToken.sub', name: 'idToken.name', email: 'idToken.email', picture: 'idToken.picture' },
})
