/** Instagram with Instagram Login: tokens and account in lists, and `#_` at the end of the return. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

export const instagram: StandIn = {
  id: 'instagram',
  name: 'Instagram',
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/access_token',
  scopes: ['instagram_business_basic'],
  scopeSeparator: ',',
  pkce: 'none',
  clientAuthentication: 'post',
  returnFragment: '#_',
  tokens: ({ accessToken }, { scopes, person }) => ({
    data: [{ access_token: accessToken, user_id: `1784140${person.number}`, permissions: scopes.join(',') }],
  }),
  tokenError: (_, message) => ({
    status: 400,
    body: { error_type: 'OAuthException', code: 400, error_message: message },
  }),
  resourceError: () => ({ error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } }),
  resources: [
    {
      path: '/v23.0/me',
      query: ['fields'],
      tokenParameter: 'access_token',
      answer: (person, { query }) => {
        const all: Record<string, unknown> = {
          user_id: `1784140${person.number}`,
          username: person.username,
          name: fullName(person),
          profile_picture_url: person.picture,
          id: `2${person.number}`,
        }
        const fields = [...(query.get('fields') ?? '').split(','), 'id']
        return { data: [Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)))] }
      },
    },
  ],
}
