/** Sign in with Coinbase. */
import type { StandIn } from '../oauth/types.js'
import { fullName } from '../users.js'

export const coinbasesocial: StandIn = {
  id: 'coinbasesocial',
  name: 'Coinbase',
  authorizePath: '/oauth2/auth',
  tokenPath: '/oauth2/token',
  scopes: ['wallet:user:read', 'wallet:user:email'],
  scopeSeparator: ',',
  pkce: 'taken',
  clientAuthentication: 'post',
  tokens: issued => ({ ...issued, token_type: 'bearer' }),
  resourceError: () => ({ errors: [{ id: 'invalid_token', message: 'The access token is invalid' }] }),
  resources: [
    {
      path: '/v2/user',
      scopes: ['wallet:user:read'],
      answer: (user, { scopes }) => ({
        data: {
          id: `9da7a204-544e-5fd1-9a12-${String(user.number).padStart(12, '0')}`,
          name: fullName(user) ?? null,
          username: user.username,
          avatar_url: user.picture ?? null,
          resource: 'user',
          ...(scopes.includes('wallet:user:email') && { email: user.email }),
        },
      }),
    },
  ],
}
