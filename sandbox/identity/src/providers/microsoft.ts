/** Microsoft Entra ID: each tenant is an issuer; an email address proves nothing. */
import type { StandIn } from '../oauth/types.js'
import { displayName } from '../users.js'

const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

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
    claims: (user, { scopes }) => ({
      sub: `AAAAAAAAAAAAAAAAAAAAA${user.number}`,
      tid: TENANT,
      oid: `00000000-0000-4000-8000-${String(user.number).padStart(12, '0')}`,
      ver: '2.0',
      ...(scopes.includes('profile') && {
        name: displayName(user),
        preferred_username: `${user.username}@tenant.example`,
      }),
      ...(scopes.includes('email') && { email: user.email }),
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
