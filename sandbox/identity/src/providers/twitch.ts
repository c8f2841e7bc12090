/** Twitch: OpenID Connect and Helix, which requires the client’s id as well. */
import type { StandIn } from '../oauth/types.js'
import { displayName } from '../users.js'

export const twitch: StandIn = {
  id: 'twitch',
  name: 'Twitch',
  authorizePath: '/oauth2/authorize',
  tokenPath: '/oauth2/token',
  scopes: ['openid', 'user:read:email'],
  pkce: 'none',
  clientAuthentication: 'post',
  idToken: {
    issuerPath: '/oauth2',
    algorithm: 'RS256',
    jwksPath: '/oauth2/keys',
    nonce: true,
    claims: ({ number, username }) => ({ sub: String(number), preferred_username: username }),
  },
  // The scope is a list, unlike in RFC 6749.
  tokens: (issued, { scopes, nonce }) => ({ ...issued, nonce, scope: scopes, token_type: 'bearer' }),
  tokenError: (error, description) => ({
    status: error === 'invalid_client' ? 403 : 400,
    body: { status: error === 'invalid_client' ? 403 : 400, message: description },
  }),
  resourceError: status => ({ error: 'Unauthorized', status, message: 'Invalid OAuth token' }),
  resources: [
    {
      path: '/helix/users',
      headers: { 'client-id': '{clientId}' },
      answer: (user, { scopes }) => ({
        data: [
          {
            id: String(user.number),
            login: user.username,
            display_name: displayName(user),
            type: '',
            profile_image_url: user.picture ?? '',
            // Verified addresses only.
            ...(scopes.includes('user:read:email') && user.emailVerified && { email: user.email }),
          },
        ],
      }),
    },
  ],
}
