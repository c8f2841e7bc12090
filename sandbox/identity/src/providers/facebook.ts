/** Facebook Login: errors have a shape of their own, and the return ends in `#_=_`. */
import type { StandIn } from '../oauth/types.js'
import { displayName, pick } from '../users.js'

export const facebook: StandIn = {
  id: 'facebook',
  name: 'Facebook',
  authorizePath: '/v23.0/dialog/oauth',
  tokenPath: '/v23.0/oauth/access_token',
  scopes: ['public_profile', 'email', 'openid'],
  scopeSeparator: ',',
  pkce: 'none',
  clientAuthentication: 'post',
  returnFragment: '#_=_',
  tokens: ({ access_token, expires_in }) => ({ access_token, token_type: 'bearer', expires_in }),
  tokenError: (_, message) => ({
    status: 400,
    body: { error: { message, type: 'OAuthException', code: 100, fbtrace_id: 'A1b2C3' } },
  }),
  resourceError: () => ({
    error: { message: 'Invalid OAuth access token.', type: 'OAuthException', code: 190, fbtrace_id: 'A1b2C3' },
  }),
  resources: [
    {
      path: '/v23.0/me',
      tokenParameter: 'access_token',
      answer: (user, { scopes, query }) => {
        const all: Record<string, unknown> = {
          id: `10${user.number}0000000`,
          name: displayName(user),
          ...(scopes.includes('email') && { email: user.email }),
          picture: { data: { height: 50, width: 50, is_silhouette: user.picture === undefined, url: user.picture } },
        }
        const fields = (query.get('fields') ?? 'id,name').split(',')
        return pick(all, ['id', ...fields])
      },
    },
  ],
}
