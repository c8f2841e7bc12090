/** Sign In with LinkedIn using OpenID Connect: no PKCE, no nonce. */
import type { StandIn } from '../oauth/types.js'
import { displayName } from '../users.js'

export const linkedin: StandIn = {
  id: 'linkedin',
  name: 'LinkedIn',
  authorizePath: '/oauth/v2/authorization',
  tokenPath: '/oauth/v2/accessToken',
  scopes: ['openid', 'profile', 'email'],
  pkce: 'none',
  clientAuthentication: 'post',
  idToken: {
    issuerPath: '/oauth',
    algorithm: 'RS256',
    jwksPath: '/oauth/openid/jwks',
    nonce: false,
    claims: user => ({ sub: `li${user.number}`, name: displayName(user) }),
  },
  resourceError: status => ({
    status,
    serviceErrorCode: 65_600,
    code: 'INVALID_ACCESS_TOKEN',
    message: 'Invalid access token',
  }),
  resources: [
    {
      path: '/v2/userinfo',
      scopes: ['openid'],
      answer: (user, { scopes }) => ({
        sub: `li${user.number}`,
        name: displayName(user),
        given_name: user.givenName,
        family_name: user.familyName,
        picture: user.picture,
        locale: { country: 'DE', language: 'de' },
        ...(scopes.includes('email') && { email: user.email, email_verified: user.emailVerified }),
      }),
    },
  ],
}
