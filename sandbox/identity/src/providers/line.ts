/** LINE Login v2.1: ID tokens signed with the channel’s secret. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

export const line: StandIn = {
  id: 'line',
  name: 'LINE',
  authorizePath: '/oauth2/v2.1/authorize',
  tokenPath: '/oauth2/v2.1/token',
  scopes: ['profile', 'openid', 'email'],
  pkce: 'taken',
  clientAuthentication: 'post',
  idToken: {
    issuerPath: '',
    algorithm: 'HS256',
    nonce: true,
    claims: (person, { scopes }) => ({
      sub: `U${String(person.number).padStart(32, '0')}`,
      amr: ['linesso'],
      ...(scopes.includes('profile') && { name: fullName(person) ?? person.username, picture: person.picture }),
      ...(scopes.includes('email') && { email: person.email }),
    }),
  },
  resources: [
    {
      path: '/v2/profile',
      scopes: ['profile'],
      answer: person => ({
        userId: `U${String(person.number).padStart(32, '0')}`,
        displayName: fullName(person) ?? person.username,
        ...(person.picture !== undefined && { pictureUrl: person.picture }),
      }),
    },
  ],
}
