/** GitHub: errors of the token endpoint come with status 200, addresses have an endpoint of their own. */
import type { StandIn } from '../oauth/types.js'
import { fullName } from '../users.js'

export const github: StandIn = {
  id: 'github',
  name: 'GitHub',
  authorizePath: '/login/oauth/authorize',
  tokenPath: '/login/oauth/access_token',
  scopes: ['read:user', 'user:email', 'user'],
  pkce: 'taken',
  clientAuthentication: 'post',
  tokens: ({ access_token }, { scopes }) => ({ access_token, scope: scopes.join(','), token_type: 'bearer' }),
  tokenError: (error, description) => ({
    status: 200,
    body: {
      error: { invalid_grant: 'bad_verification_code', invalid_client: 'incorrect_client_credentials' }[error] ?? error,
      error_description: description,
      error_uri:
        'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
    },
  }),
  resourceError: status => ({ message: status === 401 ? 'Bad credentials' : 'Not Found', status: String(status) }),
  resources: [
    {
      path: '/user',
      answer: user => ({
        login: user.username,
        id: user.number,
        type: 'User',
        name: fullName(user) ?? null,
        // The public address, which few users have.
        email: null,
        avatar_url: user.picture ?? 'https://avatars.example/none.png',
      }),
    },
    {
      path: '/user/emails',
      scopes: ['user:email', 'user'],
      answer: ({ key, email, emailVerified }) => [
        { email: `${key}@users.noreply.example`, verified: true, primary: false, visibility: null },
        { email, verified: emailVerified, primary: true, visibility: 'private' },
      ],
    },
  ],
}
