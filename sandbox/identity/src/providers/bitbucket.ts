/** Bitbucket Cloud. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

export const bitbucket: StandIn = {
  id: 'bitbucket',
  name: 'Bitbucket',
  authorizePath: '/site/oauth2/authorize',
  tokenPath: '/site/oauth2/access_token',
  scopes: ['account', 'email'],
  pkce: 'none',
  clientAuthentication: 'basic',
  tokens: ({ accessToken, refreshToken, expiresIn }, { scopes }) => ({
    access_token: accessToken,
    scopes: scopes.join(' '),
    token_type: 'bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    state: 'authorization_code',
  }),
  resourceError: status => ({
    type: 'error',
    error: { message: status === 401 ? 'Access token expired.' : 'Forbidden' },
  }),
  resources: [
    {
      path: '/2.0/user',
      scopes: ['account'],
      answer: person => ({
        type: 'user',
        uuid: `{00000000-0000-4000-8000-${String(person.number).padStart(12, '0')}}`,
        account_id: `557058:${person.number}`,
        username: person.username,
        nickname: person.username,
        display_name: fullName(person) ?? person.username,
        links: person.picture === undefined ? {} : { avatar: { href: person.picture } },
      }),
    },
    {
      path: '/2.0/user/emails',
      scopes: ['email'],
      answer: ({ email, emailVerified }) => ({
        pagelen: 10,
        size: 1,
        values: [{ type: 'email', email, is_primary: true, is_confirmed: emailVerified }],
      }),
    },
  ],
}
