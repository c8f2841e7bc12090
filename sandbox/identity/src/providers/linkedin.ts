/** Sign In with LinkedIn using OpenID Connect: no PKCE, no nonce. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

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
    claims: person => ({ sub: `li${person.number}`, name: fullName(person) ?? person.username }),
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
      answer: (person, { scopes }) => ({
        sub: `li${person.number}`,
        name: fullName(person) ?? person.username,
        given_name: person.givenName,
        family_name: person.familyName,
        picture: person.picture,
        locale: { country: 'DE', language: 'de' },
        ...(scopes.includes('email') && { email: person.email, email_verified: person.emailVerified }),
      }),
    },
  ],
}
