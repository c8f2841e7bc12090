/** Discord. */
import type { StandIn } from '../oauth/types.js'
import { fullName } from '../users.js'

export const discord: StandIn = {
  id: 'discord',
  name: 'Discord',
  authorizePath: '/oauth2/authorize',
  tokenPath: '/api/oauth2/token',
  scopes: ['identify', 'email', 'openid', 'guilds'],
  pkce: 'taken',
  clientAuthentication: 'basic',
  resourceError: status => ({ message: `${status}: Unauthorized`, code: 0 }),
  resources: [
    {
      path: '/api/users/@me',
      scopes: ['identify'],
      answer: (user, { scopes }) => ({
        id: `80351110224${user.number}`,
        username: user.username,
        discriminator: '0',
        global_name: fullName(user) ?? null,
        avatar: user.picture === undefined ? null : '8342729096ea3675442027381ff50dfe',
        ...(scopes.includes('email') && { email: user.email, verified: user.emailVerified }),
      }),
    },
  ],
}
