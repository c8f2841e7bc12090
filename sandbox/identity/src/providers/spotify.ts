/** Spotify: no user's email address is verified. */
import type { StandIn } from '../oauth/types.js'
import { fullName } from '../users.js'

export const spotify: StandIn = {
  id: 'spotify',
  name: 'Spotify',
  authorizePath: '/authorize',
  tokenPath: '/api/token',
  scopes: ['user-read-private', 'user-read-email'],
  pkce: 'taken',
  clientAuthentication: 'basic',
  resourceError: status => ({ error: { status, message: 'Invalid access token' } }),
  resources: [
    {
      path: '/v1/me',
      answer: (user, { scopes }) => ({
        account_id: `aB3dE5fG${user.number}`,
        id: `sp${user.number}`,
        type: 'user',
        display_name: fullName(user) ?? null,
        images: user.picture === undefined ? [] : [{ url: user.picture, height: 64, width: 64 }],
        ...(scopes.includes('user-read-email') && { email: user.email }),
      }),
    },
  ],
}
