/** Facebook Login: errors have a shape of their own, and the return ends in `#_=_`. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

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
  tokens: ({ accessToken, expiresIn }) => ({ access_token: accessToken, token_type: 'bearer', expires_in: expiresIn }),
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
      answer: (person, { scopes, query }) => {
        const all: Record<string, unknown> = {
          id: `10${person.number}0000000`,
          name: fullName(person) ?? person.username,
          ...(scopes.includes('email') && { email: person.email }),
          picture: {
            data: { height: 50, width: 50, is_silhouette: person.picture === undefined, url: person.picture },
          },
        }
        const fields = (query.get('fields') ?? 'id,name').split(',')
        return Object.fromEntries(Object.entries(all).filter(([name]) => name === 'id' || fields.includes(name)))
      },
    },
  ],
}
