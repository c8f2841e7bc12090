/** Instagram with Instagram Login: tokens and account in lists, and `#_` at the end of the return. */
import type { StandIn } from '../oauth/types.js'
import { fullName, pick } from '../users.js'

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
  tokens: ({ access_token }, { scopes, user }) => ({
    data: [{ access_token, user_id: `1784140${user.number}`, permissions: scopes.join(',') }],
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
      answer: (user, { query }) => {
        const all: Record<string, unknown> = {
          user_id: `1784140${user.number}`,
          username: user.username,
          name: fullName(user),
          profile_picture_url: user.picture,
          id: `2${user.number}`,
        }
        return { data: [pick(all, [...(query.get('fields') ?? '').split(','), 'id'])] }
      },
    },
  ],
}
