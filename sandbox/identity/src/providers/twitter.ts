/** X (Twitter) OAuth 2.0: PKCE is required. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

export const twitter: StandIn = {
  id: 'twitter',
  name: 'X',
  authorizePath: '/i/oauth2/authorize',
  tokenPath: '/2/oauth2/token',
  scopes: ['users.read', 'tweet.read', 'users.email', 'offline.access'],
  pkce: 'required',
  clientAuthentication: 'basic',
  codeSeconds: 30,
  tokens: ({ accessToken, expiresIn }, { scopes }) => ({
    token_type: 'bearer',
    expires_in: expiresIn,
    access_token: accessToken,
    scope: scopes.join(' '),
  }),
  resourceError: status => ({ title: 'Unauthorized', type: 'about:blank', status, detail: 'Unauthorized' }),
  resources: [
    {
      path: '/2/users/me',
      scopes: ['users.read'],
      answer: (person, { scopes, query }) => {
        const fields = (query.get('user.fields') ?? '').split(',')
        return {
          data: {
            id: String(person.number),
            name: fullName(person) ?? person.username,
            username: person.username,
            ...(fields.includes('profile_image_url') && { profile_image_url: person.picture }),
            ...(fields.includes('confirmed_email') &&
              scopes.includes('users.email') &&
              person.emailVerified && { confirmed_email: person.email }),
          },
        }
      },
    },
  ],
}
