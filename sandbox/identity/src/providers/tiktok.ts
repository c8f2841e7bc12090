/** TikTok Login Kit for web: client_key, and an `error` in every answer. */
import type { StandIn } from '../oauth/types.js'
import { displayName, pick } from '../users.js'

export const tiktok: StandIn = {
  id: 'tiktok',
  name: 'TikTok',
  authorizePath: '/v2/auth/authorize/',
  tokenPath: '/v2/oauth/token/',
  clientIdName: 'client_key',
  scopes: ['user.info.basic', 'user.info.profile'],
  scopeSeparator: ',',
  pkce: 'none',
  clientAuthentication: 'post',
  tokens: (issued, { scopes, user }) => ({
    ...issued,
    open_id: `-000${user.number}`,
    refresh_expires_in: 31_536_000,
    scope: scopes.join(','),
  }),
  tokenError: (error, description) => ({
    status: 400,
    body: { error, error_description: description, log_id: '202206221854370101130062072500FFA2' },
  }),
  resourceError: () => ({
    data: {},
    error: { code: 'access_token_invalid', message: 'The access token is invalid.', log_id: '2022' },
  }),
  resources: [
    {
      path: '/v2/user/info/',
      query: ['fields'],
      scopes: ['user.info.basic'],
      answer: (user, { query }) => {
        const all: Record<string, unknown> = {
          open_id: `-000${user.number}`,
          union_id: `union-${user.number}`,
          display_name: displayName(user),
          avatar_url: user.picture,
        }
        return {
          data: { user: pick(all, (query.get('fields') ?? '').split(',')) },
          error: { code: 'ok', message: '', log_id: '2022' },
        }
      },
    },
  ],
}
