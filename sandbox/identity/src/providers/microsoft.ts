/** Microsoft Entra ID: each tenant is an issuer; an email address proves nothing. */
import { fullName } from '../people.js'

const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

import type { StandIn } from '../oauth/types.js'

export const microsoft: StandIn = {
  id: 'microsoft',
  name: 'Microsoft',
  authorizePath: '/common/oauth2/v2.0/authorize',
  tokenPath: '/common/oauth2/v2.0/token',
  scopes: ['openid', 'profile', 'email', 'User.Read', 'offline_access'],
  pkce: 'taken',
  clientAuthentication: 'post',
  idToken: {
    issuerPath: `/${TENANT}/v2.0`,
    algorithm: 'RS256',
    jwksPath: '/common/discovery/v2.0/keys',
    nonce: true,
    claims: (person, { scopes }) => ({
      sub: `AAAAAAAAAAAAAAAAAAAAA${person.number}`,
      tid: TENANT,
      oid: `00000000-0000-4000-8000-${String(person.number).padStart(12, '0')}`,
      ver: '2.0',
      ...(scopes.includes('profile') && {
        name: fullName(person) ?? person.username,
        preferred_username: `${person.username}@tenant.example`,
      }),
      ...(scopes.includes('email') && { email: person.email }),
    }),
  },
  tokenError: (error, description) => ({
    status: error === 'invalid_client' ? 401 : 400,
    body: {
      error,
      error_description: `AADSTS70000: ${description}`,
      error_codes: [70_000],
      trace_id: '',
      correlation_id: '',
    },
  }),
  resources: [],
}
