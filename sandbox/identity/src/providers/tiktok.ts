/** TikTok Login Kit for web: client_key, and an `error` in every answer. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

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
  tokens: ({ accessToken, refreshToken, expiresIn }, { scopes, person }) => ({
    access_token: accessToken,
    expires_in: expiresIn,
    open_id: `-000${person.number}`,
    refresh_expires_in: 31_536_000,
    refresh_token: refreshToken,
    scope: scopes.join(','),
    token_type: 'Bearer',
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
      answer: (person, { query }) => {
        const all: Record<string, unknown> = {
          open_id: `-000${person.number}`,
          union_id: `union-${person.number}`,
          display_name: fullName(person) ?? person.username,
          avatar_url: person.picture,
        }
        const fields = (query.get('fields') ?? '').split(',')
        const user = Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)))
        return { data: { user }, error: { code: 'ok', message: '', log_id: '2022' } }
      },
    },
  ],
}
