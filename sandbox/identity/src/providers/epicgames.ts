/** Epic Games: an id and a display name. */
import type { StandIn } from '../oauth/types.js'

export const epicgames: StandIn = {
  id: 'epicgames',
  name: 'Epic Games',
  authorizePath: '/id/authorize',
  tokenPath: '/epic/oauth/v2/token',
  scopes: ['basic_profile', 'openid', 'friends_list', 'presence', 'country'],
  pkce: 'none',
  clientAuthentication: 'basic',
  tokens: (issued, { user, clientId }) => ({
    ...issued,
    token_type: 'bearer',
    account_id: String(user.number).padStart(32, '0'),
    client_id: clientId,
  }),
  tokenError: (error, message) => ({
    status: error === 'invalid_client' ? 401 : 400,
    body: {
      errorCode: `errors.com.epicgames.oauth.${error}`,
      errorMessage: message,
      error,
      error_description: message,
    },
  }),
  resources: [
    {
      path: '/epic/oauth/v2/userInfo',
      scopes: ['basic_profile'],
      answer: ({ number, username }) => ({
        sub: String(number).padStart(32, '0'),
        preferred_username: username,
        preferred_language: 'en',
      }),
    },
  ],
}
