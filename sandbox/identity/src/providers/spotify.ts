/** Spotify: no user's email address is verified. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

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
      answer: (person, { scopes }) => ({
        account_id: `aB3dE5fG${person.number}`,
        id: `sp${person.number}`,
        type: 'user',
        display_name: fullName(person) ?? null,
        images: person.picture === undefined ? [] : [{ url: person.picture, height: 64, width: 64 }],
        ...(scopes.includes('user-read-email') && { email: person.email }),
      }),
    },
  ],
}
