/** X (Twitter) OAuth 2.0: PKCE is required. */
import type { StandIn } from '../oauth/types.js'
import { displayName } from '../users.js'

export const twitter: StandIn = {
  id: 'twitter',
  name: 'X',
  authorizePath: '/i/oauth2/authorize',
  tokenPath: '/2/oauth2/token',
  scopes: ['users.read', 'tweet.read', 'users.email', 'offline.access'],
  pkce: 'required',
  clientAuthentication: 'basic',
  codeSeconds: 30,
  tokens: ({ refresh_token, ...issued }) => ({ ...issued, token_type: 'bearer' }),
  resourceError: status => ({ title: 'Unauthorized', type: 'about:blank', status, detail: 'Unauthorized' }),
  resources: [
    {
      path: '/2/users/me',
      scopes: ['users.read'],
      answer: (user, { scopes, query }) => {
        const fields = (query.get('user.fields') ?? '').split(',')
        return {
          data: {
            id: String(user.number),
            name: displayName(user),
            username: user.username,
            ...(fields.includes('profile_image_url') && { profile_image_url: user.picture }),
            ...(fields.includes('confirmed_email') &&
              scopes.includes('users.email') &&
              user.emailVerified && { confirmed_email: user.email }),
          },
        }
      },
    },
  ],
}
