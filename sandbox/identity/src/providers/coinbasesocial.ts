/** Sign in with Coinbase. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

export const coinbasesocial: StandIn = {
  id: 'coinbasesocial',
  name: 'Coinbase',
  authorizePath: '/oauth2/auth',
  tokenPath: '/oauth2/token',
  scopes: ['wallet:user:read', 'wallet:user:email'],
  scopeSeparator: ',',
  pkce: 'taken',
  clientAuthentication: 'post',
  tokens: ({ accessToken, refreshToken, expiresIn }, { scopes }) => ({
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }),
  resourceError: () => ({ errors: [{ id: 'invalid_token', message: 'The access token is invalid' }] }),
  resources: [
    {
      path: '/v2/user',
      scopes: ['wallet:user:read'],
      answer: (person, { scopes }) => ({
        data: {
          id: `9da7a204-544e-5fd1-9a12-${String(person.number).padStart(12, '0')}`,
          name: fullName(person) ?? null,
          username: person.username,
          avatar_url: person.picture ?? null,
          resource: 'user',
          ...(scopes.includes('wallet:user:email') && { email: person.email }),
        },
      }),
    },
  ],
}
