/** LINE Login v2.1: ID tokens signed with the channel’s secret. */
import type { StandIn } from '../oauth/types.js'
import { displayName } from '../users.js'

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
    claims: (user, { scopes }) => ({
      sub: `U${String(user.number).padStart(32, '0')}`,
      amr: ['linesso'],
      ...(scopes.includes('profile') && { name: displayName(user), picture: user.picture }),
      ...(scopes.includes('email') && { email: user.email }),
    }),
  },
  resources: [
    {
      path: '/v2/profile',
      scopes: ['profile'],
      answer: user => ({
        userId: `U${String(user.number).padStart(32, '0')}`,
        displayName: displayName(user),
        ...(user.picture !== undefined && { pictureUrl: user.picture }),
      }),
    },
  ],
}
