/** Bitbucket Cloud. */
import type { StandIn } from '../oauth/types.js'
import { displayName } from '../users.js'

export const bitbucket: StandIn = {
  id: 'bitbucket',
  name: 'Bitbucket',
  authorizePath: '/site/oauth2/authorize',
  tokenPath: '/site/oauth2/access_token',
  scopes: ['account', 'email'],
  pkce: 'none',
  clientAuthentication: 'basic',
  tokens: ({ scope, ...issued }) => ({ ...issued, token_type: 'bearer', scopes: scope, state: 'authorization_code' }),
  resourceError: status => ({
    type: 'error',
    error: { message: status === 401 ? 'Access token expired.' : 'Forbidden' },
  }),
  resources: [
    {
      path: '/2.0/user',
      scopes: ['account'],
      answer: user => ({
        type: 'user',
        uuid: `{00000000-0000-4000-8000-${String(user.number).padStart(12, '0')}}`,
        account_id: `557058:${user.number}`,
        username: user.username,
        nickname: user.username,
        display_name: displayName(user),
        links: user.picture === undefined ? {} : { avatar: { href: user.picture } },
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
